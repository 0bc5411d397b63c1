// 分配设备: moves the chosen cabinets to this store, from any other one.
import { type Cabinet, cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { Id, Strict } from "@cabinet/contract/kit/fields.ts";
import { type Store, storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import Select from "antd/es/select";
import { useDeferredValue, useState } from "react";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";
import type { Control } from "../../../ui/form/control.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";

const CabinetChoice = Strict({
  cabinetIds: Type.Array(Id, { title: "设备", minItems: 1, maxItems: 200 }),
});
const FOUND = 20;

export interface StoreAssignProps {
  /** Null while the dialog is closed. */
  store: Store | null;
  onClose: () => void;
}

export function StoreAssign({ store, onClose }: StoreAssignProps) {
  const shown = useLast(store);
  const assign = useWrite(cabinetContract.assignStore, {
    invalidates: [storeContract.list, storeContract.get],
  });
  return (
    <FormDialog
      open={store !== null}
      title={`分配设备：${shown?.name ?? ""}`}
      schema={CabinetChoice}
      fields={[
        {
          name: "cabinetIds",
          label: "设备",
          control: <CabinetSelect store={shown} />,
          hint: "原来在其他门店的设备会移到这里",
          problem: (ids) => (Array.isArray(ids) && ids.length > 0 ? null : "请至少选择一台设备"),
        },
      ]}
      submitText="分配"
      submit={async ({ cabinetIds }) => {
        const storeId = shown?.id ?? 0;
        const { changed } = await assign.mutateAsync({ body: { cabinetIds, storeId } });
        toast.success(`已分配 ${changed} 台设备到“${shown?.name}”`);
      }}
      onClose={onClose}
    />
  );
}

interface CabinetSelectProps extends Control<number[]> {
  store: Store | null;
}

function CabinetSelect({ id, value, onChange, store }: CabinetSelectProps) {
  const [words, setWords] = useState("");
  const keyword = useDeferredValue(words);
  const found = useCall(
    cabinetContract.list,
    {
      query: {
        page: 1,
        pageSize: FOUND,
        sort: "name",
        ...(keyword.trim() && { keyword: keyword.trim() }),
        ...(store && { tenantId: store.tenantId }),
      },
    },
    { enabled: store !== null },
  );
  const others = (found.data?.list ?? []).filter((cabinet) => cabinet.storeId !== store?.id);
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      showSearch={{ filterOption: false, onSearch: setWords }}
      placeholder="输入编号或名称查找"
      loading={found.isFetching}
      notFoundContent={
        found.error ? found.error.message : found.isLoading ? "正在加载…" : "没有可分配的设备"
      }
      options={others.map((cabinet) => ({ value: cabinet.id, label: labelOf(cabinet) }))}
      {...(value && { value })}
      onChange={(ids: number[]) => onChange?.(ids)}
    />
  );
}

function labelOf({ name, sn, storeName }: Cabinet): string {
  return `${name}（${sn}）· ${storeName ?? "未分配"}`;
}
