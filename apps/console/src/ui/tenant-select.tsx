// A tenant chosen in a form, by platform staff alone.
import { tenantContract } from "@cabinet/contract/tenant/tenant.contract.ts";
import { useCall } from "../kit/query.ts";
import { OneSelect, type OneSelectProps } from "./one-select.tsx";

/** Given by the form, but for the label where no form has one. */
export type TenantSelectProps = Pick<OneSelectProps, "id" | "value" | "onChange" | "label">;

export function TenantSelect(props: TenantSelectProps) {
  const tenants = useCall(tenantContract.options, {}, { staleTime: 60_000, isQuiet: true });
  return <OneSelect {...props} answer={tenants} placeholder="请选择租户" />;
}
