// Text of a service record: what changed, from which value to which.
import type { ServiceRecord } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";

type Facts = ServiceRecord["before"];

/** Formats as `2026-01-01 至 2026-12-31` or `未设置`. */
export function periodText({ startsOn, endsOn }: Facts): string {
  return endsOn === null ? "未设置" : `${startsOn} 至 ${endsOn}`;
}

/** Formats as `到期日 2026-12-31 → 2027-12-31`; leaves out what did not change. */
export function changeText({ before, after }: Pick<ServiceRecord, "before" | "after">): string {
  if (before.isStopped !== after.isStopped) {
    return after.isStopped ? "不再接新单" : "按服务期接单";
  }
  if (before.startsOn === after.startsOn) {
    return `到期日 ${before.endsOn ?? "未设置"} → ${after.endsOn ?? "未设置"}`;
  }
  return `${periodText(before)} → ${periodText(after)}`;
}
