// Heading of the board: cabinet, its state, actions on the whole cabinet.
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { ReactNode } from "react";
import { OrderNotice, ServiceStatus } from "../../../domain/cabinet/cabinet-service.tsx";
import { ConnectivityStatus, LifecycleStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { openRefusal } from "../../../domain/cabinet/open-door.rules.ts";
import { SimulatedLink } from "../../../domain/cabinet/simulated-link.tsx";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermissions } from "../../../kit/permission.ts";
import { Age } from "../../../ui/display/status.tsx";
import { LiveBadge } from "../../../ui/live/live.tsx";
import { lastStateText } from "./last-state.ts";
import "./board-heading.css";

export interface BoardHeadingProps {
  cabinet: CabinetDetail;
  now: number;
  refreshFacts: () => void;
  /** Actions on the whole cabinet. */
  children: ReactNode;
}

export function BoardHeading({ cabinet, now, refreshFacts, children }: BoardHeadingProps) {
  const isPlatform = useIsPlatform();
  const may = usePermissions();
  const lastState = lastStateText(cabinet, now);
  return (
    <header className="board-heading">
      <div className="board-title">
        <h2>
          <span>格口管理</span>
          {cabinet.name}
        </h2>
        <ConnectivityStatus of={cabinet.connectivity} />
        <LifecycleStatus of={cabinet.lifecycle} />
        {cabinet.service.state !== "UNSET" && <ServiceStatus service={cabinet.service} />}
        <LiveBadge topic="cabinet" refresh={refreshFacts} cabinetId={cabinet.id} />
        <nav className="board-links" aria-label="与这台设备有关">
          {may("cabinet:write") && (
            <Link className="ui-link" to={pathTo("/cupboard/cupboardEdit", { id: cabinet.id })}>
              编辑
            </Link>
          )}
          {may("cabinet-event:read") && (
            <Link className="ui-link" to={pathTo("/cupboard/log", { cabinetId: cabinet.id })}>
              状态日志
            </Link>
          )}
          {may("command:read") && (
            <Link className="ui-link" to={pathTo("/cupboard/record", { cabinetId: cabinet.id })}>
              操作日志
            </Link>
          )}
          <SimulatedLink cabinetId={cabinet.id} />
          <Link className="ui-link" to="/cupboard/index">
            返回设备列表
          </Link>
          {children}
        </nav>
      </div>
      <dl className="board-facts">
        <DescriptionItem name="编号">{cabinet.sn}</DescriptionItem>
        <DescriptionItem name="型号">{cabinet.modelName}</DescriptionItem>
        <DescriptionItem name="门店">{cabinet.storeName ?? "未分配"}</DescriptionItem>
        {isPlatform && <DescriptionItem name="租户">{cabinet.tenantName}</DescriptionItem>}
        <DescriptionItem name="最近心跳">
          <Age time={cabinet.lastSeenAt} />
        </DescriptionItem>
      </dl>
      <OrderNotice cabinet={cabinet} />
      {lastState && (
        <p className="ui-order-notice" role="status">
          <b>{lastState}</b>
          <span>{openRefusal(cabinet)}</span>
        </p>
      )}
    </header>
  );
}

function DescriptionItem({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
