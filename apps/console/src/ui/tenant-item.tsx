// Whose the thing will be that a form makes: platform staff choose first, for the form depends on it.
import Form, { type FormItemProps } from "antd/es/form";
import { useSignedIn } from "../kit/session.ts";
import { TenantSelect } from "./tenant-select.tsx";

interface TenantItemProps extends Pick<FormItemProps, "className" | "required"> {
  value: number;
  /** One's own where the choice is taken back. */
  onChange: (tenantId: number) => void;
}

export function TenantItem({ value, onChange, ...item }: TenantItemProps) {
  const { tenantId: own } = useSignedIn();
  return (
    <Form.Item label="租户" {...item}>
      <TenantSelect label="租户" value={value} onChange={(chosen) => onChange(chosen ?? own)} />
    </Form.Item>
  );
}
