// Single-select by name from the answer of a call; shows no value before its name is known.
import Select from "antd/es/select";
import type { Control } from "./control.ts";
import type { Named } from "./many-select.tsx";

export interface OneSelectProps extends Control<number, number | undefined> {
  answer: { data?: readonly Named[] | undefined; isLoading: boolean };
  placeholder: string;
  /** For use outside of a form, which would supply the label. */
  label?: string;
  isOptional?: boolean;
  isDisabled?: boolean;
}

export function OneSelect(props: OneSelectProps) {
  const { answer, placeholder, label, isOptional = false, isDisabled = false } = props;
  return (
    <Select
      {...(props.id && { id: props.id })}
      {...(label && { "aria-label": label })}
      allowClear={isOptional}
      disabled={isDisabled}
      showSearch={{ optionFilterProp: "label" }}
      placeholder={answer.isLoading ? "正在加载…" : placeholder}
      loading={answer.isLoading}
      notFoundContent={answer.isLoading ? "正在加载…" : "没有可选的项"}
      value={answer.isLoading ? undefined : props.value}
      options={answer.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      onChange={(id: number | undefined) => props.onChange?.(id)}
    />
  );
}
