// Heading of a log page that is not in the menu: name, cabinet, links to related pages.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { Link, pathTo } from "../../kit/paths.ts";
import { usePermissions } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { useListState } from "../../ui/list/list-state.ts";
import "../../ui/display/basics.css";
import "./log-heading.css";

/** Logs of a cabinet by route segment. */
const logs = {
  record: { title: "操作日志", access: "command:read" },
  log: { title: "设备状态日志", access: "cabinet-event:read" },
} as const;

export interface LogHeadingProps {
  of: keyof typeof logs;
  /** Undefined: all cabinets. */
  cabinetId: number | undefined;
}

export function LogHeading({ of, cabinetId }: LogHeadingProps) {
  const { filter } = useListState();
  const may = usePermissions();
  const cabinet = useCall(
    cabinetContract.get,
    { params: { id: cabinetId ?? 0 } },
    { enabled: cabinetId !== undefined && may("cabinet:read") },
  );
  const other = of === "record" ? "log" : "record";
  return (
    <header className="log-heading">
      <h2>{logs[of].title}</h2>
      {cabinetId !== undefined && (
        <>
          <span className="log-cabinet">
            {cabinet.data ? `${cabinet.data.name}（${cabinet.data.sn}）` : `设备 ${cabinetId}`}
          </span>
          <button type="button" className="ui-link" onClick={() => filter({ cabinetId: "" })}>
            查看全部设备
          </button>
          <Link className="ui-link" to={pathTo("/cupboard/blockManage", { id: cabinetId })}>
            格口管理
          </Link>
        </>
      )}
      {may(logs[other].access) && (
        <Link className="ui-link" to={pathTo(`/cupboard/${other}`, { cabinetId })}>
          {logs[other].title}
        </Link>
      )}
      <Link className="ui-link log-back" to="/cupboard/index">
        返回设备列表
      </Link>
    </header>
  );
}
