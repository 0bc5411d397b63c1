// Strip above the cards of 首页: open malfunctions that are severe, store outages first.
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { homeLists } from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import { IncidentStrip } from "../../../domain/open-incidents.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";

/** The page refetches the list with its other counts of malfunctions. */
export function SevereIncidents({ tenantId }: { tenantId: number | undefined }) {
  const may = usePermission("malfunction:read");
  const query = homeLists(tenantId).severe;
  const { data } = useCall(malfunctionContract.list, { query }, { enabled: may });
  return data ? <IncidentStrip page={data} of={{ severity: "SEVERE", tenantId }} /> : null;
}
