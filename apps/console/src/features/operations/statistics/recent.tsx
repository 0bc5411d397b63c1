// Two short lists of the home page: cabinets gone offline, and recent remote commands.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { storeOutageText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { homeLists } from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import { type ReactNode, useId } from "react";
import { commandTitle, stateText, toneOf } from "../../../domain/cabinet/command-stages.rules.ts";
import { Link, type Path, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { invalidate, useCall } from "../../../kit/query.ts";
import { Age } from "../../../ui/display/status.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { NotFetched } from "./not-fetched.tsx";

interface RecentProps {
  tenantId: number | undefined;
}

export function OfflineCabinets({ tenantId }: RecentProps) {
  const may = usePermission("cabinet:read");
  const cabinets = useCall(
    cabinetContract.list,
    { query: homeLists(tenantId).offline },
    { enabled: may },
  );
  useLiveRefresh("cabinet", () => invalidate(cabinetContract.list), { pace: "calm" });
  if (!may) return null;
  return (
    <Panel
      title="最近离线的设备"
      to={pathTo("/cupboard/index", { connectivity: "OFFLINE", tenantId })}
    >
      <Lines answer={cabinets} empty="所有设备都在线">
        {(cabinet) => (
          <li key={cabinet.id}>
            <Link to={pathTo("/cupboard/blockManage", { id: cabinet.id })}>{cabinet.name}</Link>
            <span>
              {cabinet.storeName ?? "未分配门店"}
              {cabinet.storeOutage && (
                <em data-tone="bad" title={storeOutageText(cabinet.storeOutage)}>
                  门店断网
                </em>
              )}
            </span>
            <Age time={cabinet.lastSeenAt} />
          </li>
        )}
      </Lines>
    </Panel>
  );
}

export function RecentCommands({ tenantId }: RecentProps) {
  const may = usePermission("command:read");
  const commands = useCall(
    commandContract.list,
    { query: homeLists(tenantId).commands },
    { enabled: may },
  );
  useLiveRefresh("command", () => invalidate(commandContract.list), { pace: "calm" });
  if (!may) return null;
  return (
    <Panel title="最近的远程操作" to={pathTo("/cupboard/record", { tenantId })}>
      <Lines answer={commands} empty="暂无远程操作">
        {(command) => (
          <li key={command.id}>
            <Link to={pathTo("/cupboard/blockManage", { id: command.cabinetId })}>
              {command.cabinetName}
            </Link>
            <span>
              {commandTitle(command)}
              <em data-tone={toneOf(command.state)}>{stateText(command.kind, command.state)}</em>
            </span>
            <Age time={command.createdAt} />
          </li>
        )}
      </Lines>
    </Panel>
  );
}

function Panel({ title, to, children }: { title: string; to: Path; children: ReactNode }) {
  const id = useId();
  return (
    <section className="dashboard-panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <Link to={to} aria-label={`查看全部${title}`}>
          查看全部
        </Link>
      </header>
      {children}
    </section>
  );
}

interface LinesProps<Row> {
  answer: { data: { list: readonly Row[] } | undefined; isError: boolean; refetch: () => unknown };
  empty: string;
  children: (row: Row) => ReactNode;
}

function Lines<Row>({ answer: { data, isError, refetch }, empty, children }: LinesProps<Row>) {
  if (!data && isError) return <NotFetched onRetry={() => void refetch()} />;
  if (!data) return <p className="dashboard-none"> </p>;
  if (data.list.length === 0) return <p className="dashboard-none">{empty}</p>;
  return <ul>{data.list.map(children)}</ul>;
}
