// Latest commands and events of one compartment, updated live.

import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { useState } from "react";
import { elapsedMs, stateText, toneOf } from "../../../domain/cabinet/command-stages.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { useIsLive } from "../../../kit/live.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection } from "../../../ui/display/detail-drawer.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import "./compartment-history.css";

const COMMANDS = 5;
const EVENTS_AT_FIRST = 8;
/** Poll interval while the live channel is down. */
const POLL_MS = 5_000;

export interface HistoryProps {
  cabinetId: number;
  no: number;
}

export function CommandHistory({ cabinetId, no }: HistoryProps) {
  const isLive = useIsLive();
  const { data, error, refetch } = useCall(
    commandContract.list,
    { query: { page: 1, pageSize: COMMANDS, cabinetId, no } },
    { refetchInterval: isLive ? false : POLL_MS },
  );
  useLiveRefresh("command", () => refetch(), { cabinetId, pace: "close" });
  return (
    <DrawerSection title="最近指令">
      {error && !data && <p className="history-none">{error.message}</p>}
      {data?.list.length === 0 && <p className="history-none">暂无指令</p>}
      {data && data.list.length > 0 && (
        <>
          <ul className="history">
            {data.list.map((command) => (
              <CommandLine key={command.id} command={command} />
            ))}
          </ul>
          <Link className="ui-link" to={pathTo("/cupboard/record", { cabinetId, no })}>
            查看全部 {data.total} 条指令
          </Link>
        </>
      )}
    </DrawerSection>
  );
}

function CommandLine({ command }: { command: Command }) {
  const took = elapsedMs(command, command.settledAt);
  return (
    <li>
      <span className="history-line">
        <Status tone={toneOf(command.state)} title={command.detail ?? ""}>
          {stateText(command.kind, command.state)}
        </Status>
        {command.side && <span>{doorSideText[command.side]}</span>}
        {took !== null && <span className="history-ms">{took} ms</span>}
        <Age time={command.createdAt} />
      </span>
      <span className="history-why">
        {command.actorName}：{command.reason}
      </span>
      {command.detail && <span className="history-why">{command.detail}</span>}
    </li>
  );
}

export function EventHistory({ cabinetId, no }: HistoryProps) {
  const isLive = useIsLive();
  const [showsAll, setShowsAll] = useState(false);
  const mayReadLog = usePermission("cabinet-event:read");
  const { data, error, refetch } = useCall(
    compartmentContract.events,
    { params: { id: cabinetId, no } },
    { refetchInterval: isLive ? false : POLL_MS },
  );
  useLiveRefresh("cabinet", () => refetch(), { cabinetId, pace: "close" });
  const shown = showsAll ? data : data?.slice(0, EVENTS_AT_FIRST);
  return (
    <DrawerSection title="最近事件">
      {error && !data && <p className="history-none">{error.message}</p>}
      {data?.length === 0 && <p className="history-none">暂无事件</p>}
      <ul className="history">
        {shown?.map((event) => (
          <li key={event.id}>
            <span className="history-line">
              <span>{event.text}</span>
              <time title={event.deviceAt ? "设备时间" : "平台收到的时间"}>
                {formatDateTime(event.deviceAt ?? event.receivedAt)}
              </time>
            </span>
          </li>
        ))}
      </ul>
      {mayReadLog && data && data.length > 0 && (
        <Link className="ui-link history-more" to={pathTo("/cupboard/log", { cabinetId, no })}>
          查看全部事件
        </Link>
      )}
      {data && data.length > EVENTS_AT_FIRST && !showsAll && (
        <button type="button" className="ui-link" onClick={() => setShowsAll(true)}>
          显示最近 {data.length} 条
        </button>
      )}
    </DrawerSection>
  );
}
