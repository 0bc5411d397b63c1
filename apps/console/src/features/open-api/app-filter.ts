// A filter by one of the tenant's applications.
import { openAppContract } from "@cabinet/contract/open-api/open-app.contract.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { choiceFilter, type Filter } from "../../ui/filters.tsx";

export function useAppFilter(tenantId: string | undefined): Filter {
  const isPlatform = useIsPlatform();
  const asked = isPlatform && tenantId ? { tenantId: Number(tenantId) } : {};
  const apps = useCall(openAppContract.options, { query: asked }, { isQuiet: true });
  return choiceFilter(
    "appId",
    "应用",
    apps.data?.map(({ id, name }) => ({ value: id, label: name })),
  );
}
