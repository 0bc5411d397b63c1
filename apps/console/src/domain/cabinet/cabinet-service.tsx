// Displays a cabinet's service state, and why it takes no new orders and how to resolve that.
import type { Cabinet } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  orderRefusal,
  orderRefusalText,
  type ServiceState,
  serviceStateText,
} from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { Link, pathTo } from "../../kit/paths.ts";
import { useIsPlatform } from "../../kit/permission.ts";
import { Status } from "../../ui/display/status.tsx";
import type { Tone } from "../../ui/display/tone.rules.ts";
import "../../ui/display/basics.css";
import "./cabinet-service.css";

const serviceTone: Record<ServiceState, Tone> = {
  UNSET: "quiet",
  PENDING: "waiting",
  ACTIVE: "good",
  EXPIRING: "doubtful",
  EXPIRED: "bad",
  STOPPED: "bad",
};

type Service = Cabinet["service"];

/** Formats the period as `至 2026-12-31（还有 40 天）`; null when no period is set. */
export function servicePeriodText({ startsOn, endsOn, daysLeft }: Service): string | null {
  if (endsOn === null || daysLeft === null) return null;
  const left = daysLeftText(daysLeft);
  return `${startsOn} 至 ${endsOn}（${daysLeft > 0 ? `还有 ${left}` : left}）`;
}

/** `40 天`, `今天到期`, `已过 3 天` */
export function daysLeftText(daysLeft: number): string {
  if (daysLeft < 0) return `已过 ${-daysLeft} 天`;
  return daysLeft === 0 ? "今天到期" : `${daysLeft} 天`;
}

export function ServiceStatus({ service }: { service: Service }) {
  return (
    <Status tone={serviceTone[service.state]} title={servicePeriodText(service) ?? ""}>
      {serviceStateText[service.state]}
    </Status>
  );
}

/** Renders nothing while the cabinet accepts new orders. */
export function OrderNotice({ cabinet }: { cabinet: Cabinet }) {
  const isPlatform = useIsPlatform();
  const refusal = orderRefusal(cabinet);
  if (!refusal) return null;
  const { why, mend } = orderRefusalText[refusal];
  const isMendedHere = isPlatform && refusal.startsWith("SERVICE_");
  return (
    <p className="ui-order-notice" role="status">
      <b>不接新单：{why}</b>
      {refusal !== "RETIRED" && <span>已存物品可照常开门取出。</span>}
      {isMendedHere ? (
        <Link className="ui-link" to={pathTo("/register/cabinetService", { keyword: cabinet.sn })}>
          去设备服务处理
        </Link>
      ) : (
        <span>{mend}。</span>
      )}
    </p>
  );
}
