// Heading of the edit page: cabinet, current state, links to its other pages.
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { ConnectivityStatus, LifecycleStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { LiveBadge } from "../../../ui/live/live.tsx";

export interface CabinetEditHeadingProps {
  cabinet: CabinetDetail;
  refresh: () => unknown;
}

export function CabinetEditHeading({ cabinet, refresh }: CabinetEditHeadingProps) {
  const may = usePermissions();
  const { id } = cabinet;
  return (
    <header className="cabinet-edit-heading">
      <h2>
        <span className="cabinet-edit-page">编辑设备</span>
        {cabinet.name}
      </h2>
      <ConnectivityStatus of={cabinet.connectivity} />
      <LifecycleStatus of={cabinet.lifecycle} />
      <LiveBadge topic="cabinet" refresh={refresh} cabinetId={id} />
      <nav aria-label="与这台设备有关">
        {may("compartment:read") && (
          <Link className="ui-link" to={pathTo("/cupboard/blockManage", { id })}>
            格口管理
          </Link>
        )}
        {may("cabinet-event:read") && (
          <Link className="ui-link" to={pathTo("/cupboard/log", { cabinetId: id })}>
            状态日志
          </Link>
        )}
        {may("command:read") && (
          <Link className="ui-link" to={pathTo("/cupboard/record", { cabinetId: id })}>
            操作日志
          </Link>
        )}
        <Link className="ui-link" to="/cupboard/index">
          返回设备列表
        </Link>
      </nav>
    </header>
  );
}
