// Tenant select in a form, for platform staff.
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { useCall } from "../../kit/query.ts";
import { OneSelect, type OneSelectProps } from "../../ui/form/one-select.tsx";

/** Supplied by the form, except for the label outside of a form. */
export type TenantSelectProps = Pick<OneSelectProps, "id" | "value" | "onChange" | "label">;

export function TenantSelect(props: TenantSelectProps) {
  const tenants = useCall(tenantContract.options, {}, { staleTime: 60_000 });
  return <OneSelect {...props} answer={tenants} placeholder="请选择租户" />;
}
