// Pure rules of a cabinet's service: its state, and whether it takes new orders.
import type { Lifecycle } from "./cabinet.rules.ts";

export const SERVICE_STATES = [
  "UNSET",
  "PENDING",
  "ACTIVE",
  "EXPIRING",
  "EXPIRED",
  "STOPPED",
] as const;
/** Derived from the period by the database's clock alone. */
export type ServiceState = (typeof SERVICE_STATES)[number];

export const serviceStateText: Record<ServiceState, string> = {
  UNSET: "未设置",
  PENDING: "未开通",
  ACTIVE: "服务中",
  EXPIRING: "即将到期",
  EXPIRED: "已到期",
  STOPPED: "已停止",
};

/** A service that ends within this many days is 即将到期. */
export const EXPIRING_DAYS = 30;

/**
 * Reminders about services: one sentence per state with a count; empty when nothing needs action.
 */
export function serviceReminders(counts: {
  expiring: number;
  expired: number;
  stopped: number;
}): { state: ServiceState; text: string }[] {
  const all = [
    ["EXPIRING", counts.expiring, `在 ${EXPIRING_DAYS} 天内到期`],
    ["EXPIRED", counts.expired, "已到期，不接新单"],
    ["STOPPED", counts.stopped, "已停止服务，不接新单"],
  ] as const;
  return all
    .filter(([, count]) => count > 0)
    .map(([state, count, text]) => ({ state, text: `${count} 台${text}` }));
}

export const ORDER_REFUSALS = [
  "RETIRED",
  "INACTIVE",
  "PAUSED",
  "SERVICE_STOPPED",
  "SERVICE_EXPIRED",
  "SERVICE_PENDING",
] as const;
export type OrderRefusal = (typeof ORDER_REFUSALS)[number];

/** Reason why a cabinet takes no new orders, and its remedy. */
export const orderRefusalText: Record<OrderRefusal, { why: string; mend: string }> = {
  RETIRED: { why: "设备已停用", mend: "停用的设备不再接单，也不能远程开门" },
  INACTIVE: { why: "设备未启用", mend: "等待现场激活：在设备上输入激活码，连接后自动投入运营" },
  PAUSED: { why: "已暂停运营", mend: "点“恢复运营”后接单" },
  SERVICE_STOPPED: { why: "服务已停止", mend: "联系平台恢复服务" },
  SERVICE_EXPIRED: { why: "服务已到期", mend: "联系平台续期" },
  SERVICE_PENDING: { why: "服务尚未开通", mend: "到开始日期后自动接单，或联系平台提前开通" },
};

const refusalsOfService: Partial<Record<ServiceState, OrderRefusal>> = {
  STOPPED: "SERVICE_STOPPED",
  EXPIRED: "SERVICE_EXPIRED",
  PENDING: "SERVICE_PENDING",
};

/**
 * Reason why this cabinet takes no new orders, or null. Never consulted when opening a door:
 * stored goods are returned in any state.
 */
export function orderRefusal(cabinet: {
  lifecycle: Lifecycle;
  service: { state: ServiceState };
}): OrderRefusal | null {
  if (cabinet.lifecycle !== "ACTIVE") return cabinet.lifecycle;
  return refusalsOfService[cabinet.service.state] ?? null;
}

/** Why nothing can be deposited in a cabinet now, the gravest reason first. */
export const CABINET_REFUSALS = ["TENANT_INACTIVE", ...ORDER_REFUSALS, "OFFLINE", "FULL"] as const;
export type CabinetRefusal = (typeof CABINET_REFUSALS)[number];

/** The one policy of new goods: reason why this cabinet takes none now, or null. `sizes`: absent before one is chosen. */
export function cabinetRefusal(cabinet: {
  isTenantOpen: boolean;
  lifecycle: Lifecycle;
  service: { state: ServiceState };
  isOnline: boolean;
  sizes?: readonly { free: number }[];
}): CabinetRefusal | null {
  if (!cabinet.isTenantOpen) return "TENANT_INACTIVE";
  const refusal = orderRefusal(cabinet);
  if (refusal) return refusal;
  if (!cabinet.isOnline) return "OFFLINE";
  return cabinet.sizes?.every(({ free }) => free === 0) ? "FULL" : null;
}

export const SERVICE_ACTIONS = ["OPENED", "RENEWED", "ADJUSTED", "STOPPED", "RESUMED"] as const;
export type ServiceAction = (typeof SERVICE_ACTIONS)[number];

export const serviceActionText: Record<ServiceAction, string> = {
  OPENED: "开通",
  RENEWED: "续期",
  ADJUSTED: "调整",
  STOPPED: "停止服务",
  RESUMED: "恢复服务",
};
