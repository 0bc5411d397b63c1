// List filter by open-API application of the selected tenant.
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { usePermission } from "../kit/permission.ts";
import { useCall } from "../kit/query.ts";
import type { Filter } from "../ui/list/filters.tsx";
import { namedChoices, type OfTenant, tenantChoiceFilter } from "./tenant/tenant-choice-filter.tsx";

/** No filter without `open-app:read`. */
export function useAppFilter(): Filter<"appId">[] {
  const mayRead = usePermission("open-app:read");
  return mayRead ? [tenantChoiceFilter("appId", "接口应用", useAppChoices)] : [];
}

function useAppChoices(query: OfTenant) {
  const apps = useCall(openAppContract.options, { query });
  return namedChoices(apps.data);
}
