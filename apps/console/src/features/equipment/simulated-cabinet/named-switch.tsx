// Switch with its name beside it.
import Switch from "antd/es/switch";
import { useId } from "react";

interface NamedSwitchProps {
  label: string;
  isOn: boolean;
  /** Undefined: this account may only look. */
  onChange: ((isOn: boolean) => void) | undefined;
}

export function NamedSwitch({ label, isOn, onChange }: NamedSwitchProps) {
  const id = useId();
  return (
    <label htmlFor={id}>
      <Switch
        id={id}
        checked={isOn}
        disabled={!onChange}
        onChange={(checked) => onChange?.(checked)}
      />
      {label}
    </label>
  );
}
