// Multi-select of a tenant's cabinets, searched on the server while typing.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { useDeferredValue, useState } from "react";
import { useCall } from "../kit/query.ts";
import { ManySelect, type Named } from "../ui/form/many-select.tsx";

export interface CabinetSelectProps {
  tenantId: number;
  chosen: readonly Named[];
  onChange: (chosen: readonly Named[]) => void;
}

const FOUND = 30;

export function CabinetSelect({ tenantId, ...rest }: CabinetSelectProps) {
  const [text, setText] = useState("");
  const keyword = useDeferredValue(text.trim());
  const cabinets = useCall(cabinetContract.list, {
    query: { page: 1, pageSize: FOUND, tenantId, ...(keyword && { keyword }) },
  });
  const options = cabinets.data?.list.map(({ id, name, sn }) => ({ id, name: `${name}（${sn}）` }));
  return <ManySelect {...rest} label="设备" options={options} onSearch={setText} />;
}
