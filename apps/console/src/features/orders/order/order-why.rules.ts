// Why a live order cannot be taken now: causes from the order, its place and its timeline, worst first.
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import type { OrderDetail, TimelineEntry } from "@cabinet/contract/orders/order/order.contract.ts";
import { hasGoods, isLive } from "@cabinet/contract/orders/order/order.rules.ts";

export const WHY_KINDS = [
  "RETIRED",
  "OFFLINE",
  "FORCED",
  "IN_DOUBT",
  "NOT_OPENED",
  "COMPARTMENT",
  "NO_CODE",
  "CODE_NOT_SENT",
  "CODE_ON_ITS_WAY",
  "PAUSED",
  "TENANT_CLOSED",
  "FEE_DUE",
] as const;
export type WhyKind = (typeof WHY_KINDS)[number];

/** Reaction that the button of a cause offers; IN_DOUBT has its own buttons below. */
export type WhyRemedy = "open" | "showCode" | "resendCode" | "board" | "log" | null;

export interface Why {
  kind: WhyKind;
  text: string;
  /** Time that the text refers to. */
  at: string | null;
  remedy: WhyRemedy;
  isProblem: boolean;
}

type Known = Pick<
  OrderDetail,
  "state" | "hasCode" | "isInDoubt" | "forcedAt" | "isTenantOpen" | "place" | "shortFen"
>;
type Entry = Pick<TimelineEntry, "at" | "source" | "isProblem" | "command" | "sms" | "subscribe">;

/** Empty for orders that are over. `timeline` has its newest entry first. */
export function whyOf(order: Known, timeline: readonly Entry[]): Why[] {
  if (!isLive(order.state)) return [];
  const causes = [...placeCauses(order, timeline), ...codeCauses(order, timeline)];
  if (!order.isTenantOpen) {
    causes.push(cause("TENANT_CLOSED", "租户已到期或已暂停：不能新存件，仍可取件"));
  }
  if (order.shortFen > 0) {
    causes.push(
      cause("FEE_DUE", `余额不足，还差 ${yuanOfFen(order.shortFen)} 元：不能取件`, "open"),
    );
  }
  return causes.toSorted(
    (one, other) => WHY_KINDS.indexOf(one.kind) - WHY_KINDS.indexOf(other.kind),
  );
}

function cause(
  kind: WhyKind,
  text: string,
  remedy: WhyRemedy = null,
  at: string | null = null,
): Why {
  return { kind, text, at, remedy, isProblem: true };
}

function placeCauses(order: Known, timeline: readonly Entry[]): Why[] {
  const { place } = order;
  const causes: Why[] = [];
  if (place?.lifecycle === "RETIRED")
    causes.push(cause("RETIRED", "设备已停用，不能开门", "board"));
  if (place?.lifecycle === "PAUSED")
    causes.push(cause("PAUSED", "设备已暂停运营，仍可取件", "board"));
  if (place && place.connectivity !== "ONLINE") {
    const never = place.lastSeenAt === null;
    const text = never ? "设备从未上线" : "设备离线，不能远程开门；最后在线";
    causes.push(cause("OFFLINE", text, "log", place.lastSeenAt));
  }
  if (place && place.cell.adminState !== "ENABLED") {
    const { adminState, adminReason } = place.cell;
    const text = { FAULT: "格口故障", DISABLED: "格口已停用" }[adminState];
    causes.push(cause("COMPARTMENT", adminReason ? `${text}：${adminReason}` : text, "board"));
  }
  if (order.forcedAt) {
    causes.push(cause("FORCED", "箱门在没有开门指令时打开过", "log", order.forcedAt));
  }
  const opening = timeline.find(({ command }) => command?.kind === "OPEN");
  if (order.isInDoubt) {
    causes.push(cause("IN_DOUBT", "最近一次开门没有结果", null, opening?.at ?? null));
  } else if (opening?.isProblem && !hasOpenedSince(opening, timeline)) {
    causes.push(cause("NOT_OPENED", "最近一次开门未确认打开", "open", opening.at));
  }
  return causes;
}

function hasOpenedSince({ at }: Entry, timeline: readonly Entry[]): boolean {
  return timeline.some((entry) => entry.source === "DOOR" && !entry.isProblem && entry.at > at);
}

const unsent: readonly string[] = ["OUTBOX", "FAILED"];
const waiting: readonly string[] = ["QUEUED", "SENDING"];

function codeCauses(order: Known, timeline: readonly Entry[]): Why[] {
  if (!hasGoods(order.state)) return [];
  if (!order.hasCode) return [cause("NO_CODE", "取件码已失效", "resendCode")];
  const codes = timeline.filter(
    ({ sms, subscribe }) => (sms ?? subscribe)?.scene === "PICKUP_CODE",
  );
  const [last] = codes;
  if (!last) return [cause("CODE_NOT_SENT", "取件码未发送", "resendCode")];
  // A code goes out by text message, by WeChat, or both at once: one that arrived is enough.
  const same = codes.filter(({ at }) => Math.abs(Date.parse(at) - Date.parse(last.at)) < 60_000);
  const states = same.map(({ sms, subscribe }) => (sms ?? subscribe)?.state ?? "");
  // Resending is refused while no channel is on.
  if (states.every((state) => state === "OUTBOX")) {
    return [cause("CODE_NOT_SENT", "未开通短信通道，取件码未发送", "showCode", last.at)];
  }
  if (states.every((state) => unsent.includes(state))) {
    return [cause("CODE_NOT_SENT", "取件码未送达", "resendCode", last.at)];
  }
  const isOnItsWay = states.every((state) => unsent.includes(state) || waiting.includes(state));
  return isOnItsWay
    ? [{ ...cause("CODE_ON_ITS_WAY", "取件码正在发送", null, last.at), isProblem: false }]
    : [];
}
