// Form item for the tenant of a new record; platform staff choose it first, because the form
// depends on it.
import Form, { type FormItemProps } from "antd/es/form";
import { useSignedIn } from "../../kit/session.ts";
import { TenantSelect } from "./tenant-select.tsx";

interface TenantItemProps extends Pick<FormItemProps, "className" | "required"> {
  value: number;
  /** Called with the account's own tenant when the choice is cleared. */
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
