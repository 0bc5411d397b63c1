// Pure rules of a compartment: four axes, and what follows from them.
import type { Connectivity } from "../cabinet/cabinet.rules.ts";
import type { OrderRefusal } from "../cabinet/cabinet-service.rules.ts";

export const SIZES = ["S", "M", "L", "XL"] as const;
export type Size = (typeof SIZES)[number];
export const sizeText: Record<Size, string> = { S: "小", M: "中", L: "大", XL: "特大" };

export const ADMIN_STATES = ["ENABLED", "DISABLED", "FAULT"] as const;
export type AdminState = (typeof ADMIN_STATES)[number];
export const adminStateText: Record<AdminState, string> = {
  ENABLED: "启用",
  DISABLED: "停用",
  FAULT: "故障",
};

export const OCCUPANCIES = ["FREE", "RESERVED", "OCCUPIED"] as const;
export type Occupancy = (typeof OCCUPANCIES)[number];
export const occupancyText: Record<Occupancy, string> = {
  FREE: "空闲",
  RESERVED: "已预约",
  OCCUPIED: "占用",
};

export const DOOR_STATES = ["OPEN", "CLOSED", "UNKNOWN"] as const;
export type DoorState = (typeof DOOR_STATES)[number];
export const doorStateText: Record<DoorState, string> = {
  OPEN: "已开",
  CLOSED: "已关",
  UNKNOWN: "未知",
};

export const ITEM_STATES = ["EMPTY", "PRESENT", "UNKNOWN"] as const;
export type ItemState = (typeof ITEM_STATES)[number];
export const itemStateText: Record<ItemState, string> = {
  EMPTY: "无物",
  PRESENT: "有物",
  UNKNOWN: "未知",
};

export const DOOR_SIDES = ["FRONT", "BACK"] as const;
export type DoorSide = (typeof DOOR_SIDES)[number];
export const doorSideText: Record<DoorSide, string> = { FRONT: "正面", BACK: "背面" };

export interface CompartmentAxes {
  adminState: AdminState;
  occupancy: Occupancy;
  doorFront: DoorState;
  /** Null on a single-sided cabinet. */
  doorBack: DoorState | null;
  item: ItemState;
}

/** 异常: what the books say contradicts what the sensor sees; an unknown sensor contradicts nothing. */
export function isContradictory(axes: CompartmentAxes): boolean {
  return (
    (axes.occupancy === "FREE" && axes.item === "PRESENT") ||
    (axes.occupancy === "OCCUPIED" && axes.item === "EMPTY")
  );
}

export const UNAVAILABLE_REASONS = [
  "FAULT",
  "DISABLED",
  "CONTRADICTORY",
  "DOOR_OPEN",
  "OCCUPIED",
  "RESERVED",
  "NO_NEW_ORDERS",
  "OFFLINE",
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** Why a compartment takes no new thing, and what mends it. */
export const unavailableText: Record<UnavailableReason, { why: string; mend: string }> = {
  FAULT: { why: "已标记故障", mend: "检修后点“启用”" },
  DISABLED: { why: "已停用", mend: "点“启用”恢复" },
  CONTRADICTORY: { why: "账实不符", mend: "现场盘点后更正" },
  DOOR_OPEN: { why: "箱门未关", mend: "请现场人员关好箱门" },
  OCCUPIED: { why: "占用中", mend: "取件后自动空闲" },
  RESERVED: { why: "已预约", mend: "预约到期自动释放" },
  NO_NEW_ORDERS: { why: "设备不接新单", mend: "设备恢复接单后可用" },
  OFFLINE: { why: "设备离线", mend: "设备恢复在线后可用" },
};

/**
 * The most pressing reason, or null when the compartment is available. `refusal`: the reason why its
 * cabinet takes no new orders (`orderRefusal`).
 */
export function unavailableReason(
  axes: CompartmentAxes,
  { refusal, connectivity }: { refusal: OrderRefusal | null; connectivity: Connectivity },
): UnavailableReason | null {
  if (axes.adminState !== "ENABLED") return axes.adminState;
  if (isContradictory(axes)) return "CONTRADICTORY";
  if (axes.doorFront === "OPEN" || axes.doorBack === "OPEN") return "DOOR_OPEN";
  if (axes.occupancy !== "FREE") return axes.occupancy;
  if (refusal) return "NO_NEW_ORDERS";
  return connectivity === "ONLINE" ? null : "OFFLINE";
}

/** What a person may do to the admin state: from which states, and what comes of it. */
export const adminActions = {
  enable: { from: ["DISABLED", "FAULT"], to: "ENABLED", text: "启用" },
  disable: { from: ["ENABLED"], to: "DISABLED", text: "停用" },
  // Again on a faulty one: the fault is still there, or is a second one.
  markFault: { from: ["ENABLED", "DISABLED", "FAULT"], to: "FAULT", text: "标记故障" },
} as const satisfies Record<string, { from: AdminState[]; to: AdminState; text: string }>;
export type AdminAction = keyof typeof adminActions;

export function mayChangeAdminState(action: AdminAction, from: AdminState): boolean {
  return (adminActions[action].from as readonly AdminState[]).includes(from);
}

/** 清柜 frees what the books hold, and not against a sensor that still sees the goods. */
export function mayClear(axes: Pick<CompartmentAxes, "occupancy" | "item">): boolean {
  return axes.occupancy !== "FREE" && axes.item !== "PRESENT";
}

/** What a person found behind one door during 盘点. */
export const STOCK_FINDINGS = ["EMPTY", "PRESENT", "SKIPPED"] as const;
export type StockFinding = (typeof STOCK_FINDINGS)[number];

/** Books or sensor say otherwise than the eyes. What was not looked at, is reserved or unknown contradicts nothing. */
export function contradictsFinding(
  { occupancy, item }: Pick<CompartmentAxes, "occupancy" | "item">,
  found: StockFinding,
): boolean {
  if (found === "SKIPPED") return false;
  const isAgainstBooks = occupancy === (found === "EMPTY" ? "OCCUPIED" : "FREE");
  return isAgainstBooks || (item !== "UNKNOWN" && item !== found);
}

/** The books as the eyes say; a reservation stands. */
export function occupancyAsFound(occupancy: Occupancy, found: StockFinding): Occupancy {
  if (found === "PRESENT" && occupancy === "FREE") return "OCCUPIED";
  if (found === "EMPTY" && occupancy === "OCCUPIED") return "FREE";
  return occupancy;
}
