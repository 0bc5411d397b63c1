// A tenant chosen in a form, by platform staff alone.
import { tenantContract } from "@cabinet/contract/tenant/tenant.contract.ts";
import { useCall } from "../kit/query.ts";
import { OneSelect, type OneSelectProps } from "./one-select.tsx";

/** These three are given by the form. */
export function TenantSelect(props: Pick<OneSelectProps, "id" | "value" | "onChange">) {
  const tenants = useCall(tenantContract.options, {}, { staleTime: 60_000, isQuiet: true });
  return <OneSelect {...props} answer={tenants} placeholder="请选择租户" />;
}
