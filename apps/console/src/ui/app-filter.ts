// A filter by one of the applications of the tenant that is looked at.
import { openAppContract } from "@cabinet/contract/open-api/open-app.contract.ts";
import { useIsPlatform, usePermission } from "../kit/permission.ts";
import { useCall } from "../kit/query.ts";
import { choiceFilter, type Filter } from "./filters.tsx";
import { useListState } from "./list-state.ts";

/** None for whoever may not know of applications. */
export function useAppFilter(): Filter[] {
  const isPlatform = useIsPlatform();
  const mayRead = usePermission("open-app:read");
  const { tenantId } = useListState().texts;
  const asked = isPlatform && tenantId ? { tenantId: Number(tenantId) } : {};
  const apps = useCall(
    openAppContract.options,
    { query: asked },
    { isQuiet: true, enabled: mayRead },
  );
  const choices = apps.data?.map(({ id, name }) => ({ value: id, label: name }));
  return mayRead ? [choiceFilter("appId", "接口应用", choices)] : [];
}
