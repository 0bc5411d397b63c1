// 首页: how the cabinets are, and what waits to be done.
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { malfunctionContract } from "@cabinet/contract/malfunction/malfunction.contract.ts";
import { Link } from "react-router";
import { formatNumber } from "../../kit/format.ts";
import { invalidate, useCall } from "../../kit/query.ts";
import { useSignedIn } from "../../kit/session.ts";
import { useLiveRefresh } from "../../ui/live.tsx";
import { SvgIcon } from "../../ui/svg-icon.tsx";
import { OfflineCabinets, RecentCommands } from "./recent.tsx";
import { ServiceReminders } from "./service-reminders.tsx";
import "./dashboard.css";

export default function DashboardPage() {
  const { username } = useSignedIn();
  const cabinets = useCall(cabinetContract.statistics, {}, { isQuiet: true });
  const faults = useCall(
    malfunctionContract.size,
    { query: { status: "CREATED" } },
    { isQuiet: true },
  );
  useLiveRefresh("cabinet", () => invalidate(cabinetContract.statistics, malfunctionContract.size));
  const { total, online, offline, never } = cabinets.data ?? {};
  const onlineShare = total ? `${Math.round(((online ?? 0) / total) * 100)}% 在线` : " ";

  return (
    <div className="dashboard">
      <header className="dashboard-head">
        <h2 className="dashboard-hello">您好，{username}</h2>
        <p>设备与待办的实时情况</p>
      </header>
      {(cabinets.isError || faults.isError) && (
        <p className="dashboard-error" role="alert">
          部分数据没有取到。
          <button
            type="button"
            onClick={() => {
              cabinets.refetch();
              faults.refetch();
            }}
          >
            重试
          </button>
        </p>
      )}
      <ServiceReminders />
      <ul className="dashboard-cards" aria-label="设备概况">
        <Card to="/cupboard/index" title="设备总数" icon="cabinet" value={total}>
          {never ? `其中 ${never} 台从未连接` : " "}
        </Card>
        <Card to="/cupboard/index?connectivity=ONLINE" title="在线设备" value={online} tone="good">
          {onlineShare}
        </Card>
        <Card
          to="/cupboard/index?connectivity=OFFLINE"
          title="离线设备"
          value={offline}
          tone={offline ? "warn" : undefined}
        >
          {offline ? "请尽快检查网络或电源" : " "}
        </Card>
        <Card
          to="/malfunction/index?state=CREATED"
          title="待处理故障"
          icon="repair"
          value={faults.data}
          tone={faults.data ? "bad" : undefined}
        >
          {faults.data === undefined
            ? " "
            : faults.data > 0
              ? "请尽快安排处理"
              : "没有待处理的故障"}
        </Card>
      </ul>
      <div className="dashboard-panels">
        <OfflineCabinets />
        <RecentCommands />
      </div>
    </div>
  );
}

interface CardProps {
  to: string;
  title: string;
  /** Without one, a dot in the tone. */
  icon?: string;
  /** Undefined while it is being fetched. */
  value: number | undefined;
  tone?: "good" | "warn" | "bad" | undefined;
  children: string;
}

function Card({ to, title, icon, value, tone, children }: CardProps) {
  return (
    <li>
      <Link to={to} className="dashboard-card" data-tone={tone}>
        <span className="dashboard-card-title">
          {icon ? <SvgIcon name={icon} /> : <span className="dashboard-dot" />}
          {title}
        </span>
        <strong aria-busy={value === undefined}>
          {value === undefined ? " " : formatNumber(value)}
        </strong>
        <span className="dashboard-card-note">{children}</span>
      </Link>
    </li>
  );
}
