// Line above the cards of 首页: the worst open malfunction, store outages first, and how many are severe.
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
  if (!may) return null;
  return (
    // One line from the start: the figures below stay where they are when the answer comes.
    <div className="dashboard-severe">
      {data?.total === 0 && <p>暂无严重故障</p>}
      {data && <IncidentStrip page={data} of={{ severity: "SEVERE", tenantId }} />}
    </div>
  );
}
