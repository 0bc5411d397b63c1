// Filter by one cabinet, searched on the server while typing.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import Select from "antd/es/select";
import { useDeferredValue, useState } from "react";
import { useIsPlatform } from "../kit/permission.ts";
import { useCall } from "../kit/query.ts";
import type { Filter, FilterControlProps } from "../ui/list/filters.tsx";

export const cabinetFilter = (side: Side): Filter<"cabinetId"> => ({
  label: "设备",
  names: ["cabinetId"],
  isOfTenant: true,
  control: (props) => <CabinetChoice side={side} {...props} />,
  shown: ({ cabinetId }) => <CabinetName id={Number(cabinetId)} />,
});

function CabinetName({ id }: { id: number }) {
  const cabinet = useCall(cabinetContract.get, { params: { id } });
  return cabinet.data?.name ?? id;
}

const FOUND = 20;

function CabinetChoice({ id, texts, change, side }: FilterControlProps & { side: Side }) {
  const isPlatform = useIsPlatform();
  const [words, setWords] = useState("");
  const keyword = useDeferredValue(words.trim());
  const chosen = Number(texts.cabinetId) || undefined;
  const place = {
    ...(isPlatform && texts.tenantId && { tenantId: Number(texts.tenantId) }),
    ...(texts.storeId && { storeId: Number(texts.storeId) }),
  };
  const found = useCall(cabinetContract.list, {
    query: {
      ...{ page: 1, pageSize: FOUND, sort: "name", side, ...place },
      ...(keyword && { keyword }),
    },
  });
  const one = useCall(
    cabinetContract.get,
    { params: { id: chosen ?? 0 } },
    { enabled: chosen !== undefined },
  );
  const listed = found.data?.list ?? [];
  const selected = one.data?.id === chosen ? one.data : undefined;
  const cabinets = selected
    ? [selected, ...listed.filter((cabinet) => cabinet.id !== chosen)]
    : listed;
  return (
    <Select
      id={id}
      allowClear
      showSearch={{ filterOption: false, onSearch: setWords }}
      placeholder="全部"
      loading={found.isFetching}
      notFoundContent={found.isLoading ? "正在加载…" : "暂无符合条件的设备"}
      // Without the name there is nothing to show but an id.
      value={chosen !== undefined && selected ? chosen : undefined}
      options={cabinets.map(({ id: value, name, sn }) => ({ value, label: `${name}（${sn}）` }))}
      onChange={(cabinetId: number | undefined) =>
        change({ cabinetId: cabinetId === undefined ? "" : String(cabinetId) })
      }
    />
  );
}
