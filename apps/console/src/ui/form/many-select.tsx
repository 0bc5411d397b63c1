// Multi-select by name, with an optional search on the server while typing.
import Select from "antd/es/select";

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
