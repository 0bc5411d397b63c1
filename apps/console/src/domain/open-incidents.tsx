// Open malfunctions of a store or cabinet, most severe first, each linked to its page.
import {
  type Malfunction,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  malfunctionTitle,
  severityText,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { Link, pathTo } from "../kit/paths.ts";
import { usePermission } from "../kit/permission.ts";
import { useCall } from "../kit/query.ts";
import { Age } from "../ui/display/status.tsx";
import { useLiveRefresh } from "../ui/live/live.tsx";
import "./open-incidents.css";

/** Lines in a drawer. */
const SHOWN = 5;

interface OpenIncidentsProps {
  of: { storeId: number } | { cabinetId: number };
}

export function OpenIncidents({ of }: OpenIncidentsProps) {
  const may = usePermission("malfunction:read");
  const query = { page: 1, pageSize: SHOWN, state: "OPEN" as const, ...of };
  const answer = useCall(malfunctionContract.list, { query }, { enabled: may });
  useLiveRefresh("malfunction", () => answer.refetch());
  return answer.data ? <IncidentStrip page={answer.data} of={of} /> : null;
}

interface IncidentStripProps {
  page: { list: readonly Malfunction[]; total: number };
  /** Filters of the list that shows all. */
  of: { storeId?: number; cabinetId?: number; severity?: "SEVERE"; tenantId?: number | undefined };
}

/** Nothing while there is no malfunction. */
export function IncidentStrip({ page: { list, total }, of }: IncidentStripProps) {
  if (list.length === 0) return null;
  return (
    <section className="open-incidents" aria-label="未完结故障">
      <ul>
        {list.map((incident) => (
          <li key={incident.id} data-severity={incident.severity}>
            <em>{severityText[incident.severity]}</em>
            <Link to={pathTo("/malfunction/incident", { id: incident.id })}>
              <b>{malfunctionTitle(incident)}</b> {incident.cabinetName ?? incident.storeName}
              {incident.compartmentNo !== null && ` ${incident.compartmentNo} 号格口`}
            </Link>
            <Age time={incident.createdAt} />
          </li>
        ))}
      </ul>
      {total > list.length && (
        <Link to={pathTo("/malfunction/index", { state: "OPEN", ...of })}>查看全部 {total} 条</Link>
      )}
    </section>
  );
}
