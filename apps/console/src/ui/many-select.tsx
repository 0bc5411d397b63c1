// Multi-select by name; cabinets are searched on the server while typing.
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import Select from "antd/es/select";
import { useDeferredValue, useState } from "react";
import { useCall } from "../kit/query.ts";

export interface Named {
  id: number;
  name: string;
}

export interface ManySelectProps {
  chosen: readonly Named[];
  onChange: (chosen: readonly Named[]) => void;
  label: string;
  options: readonly Named[] | undefined;
  /** Remote search; absent: `options` is complete. */
  onSearch?: (text: string) => void;
}

export function ManySelect({ label, options, chosen, onChange, onSearch }: ManySelectProps) {
  const known = new Map([...chosen, ...(options ?? [])].map((option) => [option.id, option]));
  return (
    <Select
      mode="multiple"
      aria-label={label}
      placeholder={`请选择${label}`}
      maxTagCount={6}
      loading={!options}
      showSearch={onSearch ? { filterOption: false, onSearch } : { optionFilterProp: "label" }}
      notFoundContent={options ? `没有可选的${label}` : "正在加载…"}
      value={chosen.map(({ id }) => id)}
      options={[...known.values()].map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(ids: number[]) => onChange(ids.flatMap((id) => known.get(id) ?? []))}
    />
  );
}

export interface CabinetSelectProps {
  tenantId: number;
  chosen: readonly Named[];
  onChange: (chosen: readonly Named[]) => void;
}

const FOUND = 30;

export function CabinetSelect({ tenantId, ...rest }: CabinetSelectProps) {
  const [text, setText] = useState("");
  const keyword = useDeferredValue(text.trim());
  const cabinets = useCall(
    cabinetContract.list,
    { query: { page: 1, pageSize: FOUND, tenantId, ...(keyword && { keyword }) } },
    { keepPreviousData: true, isQuiet: true },
  );
  const options = cabinets.data?.list.map(({ id, name, sn }) => ({ id, name: `${name}（${sn}）` }));
  return <ManySelect {...rest} label="设备" options={options} onSearch={setText} />;
}
