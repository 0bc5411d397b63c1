// Tenant filter for platform staff (tenant 1) on any list of tenants' records.
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { choiceFilter, type Filter } from "../../ui/list/filters.tsx";
import type { ListSpec } from "../../ui/list/use-list.ts";

/** Null for everybody else, and for calls without a `tenantId` parameter. */
export function useTenantFilter(spec: ListSpec): Filter<"tenantId"> | null {
  const isWanted = useIsPlatform() && "tenantId" in spec.query.properties;
  const tenants = useCall(
    tenantContract.options,
    {},
    { enabled: isWanted, staleTime: 60_000, toasts: true },
  );
  if (!isWanted) return null;
  return choiceFilter(
    "tenantId",
    "租户",
    tenants.data?.map(({ id, name }) => ({ value: id, label: name })),
  );
}
