// Text for a cabinet that is not online: since when the displayed state is the last known one.
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { formatDateTime } from "../../../kit/format.ts";

/** Formats as `离线，19:05 起的最后状态` or `连接中，19:05 的最后状态`; null while the cabinet is online. */
export function lastStateText(
  { connectivity, lastSeenAt }: Pick<CabinetDetail, "connectivity" | "lastSeenAt">,
  now: number,
): string | null {
  if (connectivity === "ONLINE") return null;
  if (connectivity === "NEVER" || lastSeenAt === null) return "从未连接，没有上报状态";
  const [day, time] = formatDateTime(lastSeenAt).split(" ") as [string, string];
  const isToday = formatDateTime(now).startsWith(day);
  const at = `${isToday ? "" : `${day.slice(5)} `}${time.slice(0, 5)}`;
  return { CONNECTING: `连接中，${at} 的最后状态`, OFFLINE: `离线，${at} 起的最后状态` }[
    connectivity
  ];
}
