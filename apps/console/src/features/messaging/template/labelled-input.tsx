// Labelled input row of a composite form control.
import Input from "antd/es/input";
import { useId } from "react";
import "./template.css";

export interface LabelledInputProps {
  label: string;
  value: string;
  maxLength: number;
  placeholder?: string;
  onChange: (text: string) => void;
}

export function LabelledInput({ label, onChange, ...input }: LabelledInputProps) {
  const id = useId();
  return (
    <div className="template-line">
      <label htmlFor={id}>{label}</label>
      <Input id={id} {...input} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
