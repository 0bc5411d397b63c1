// Pure rules of a compartment: four state axes and the rules derived from them.
import type { Connectivity } from "../../fleet/cabinet/cabinet.rules.ts";
import type { OrderRefusal } from "../../fleet/cabinet/cabinet-service.rules.ts";
import type {
  AdminState,
  DoorState,
  ItemState,
  Occupancy,
} from "../../vocabulary/hardware.rules.ts";

export interface CompartmentAxes {
  adminState: AdminState;
  occupancy: Occupancy;
  doorFront: DoorState;
  /** Null on a single-sided cabinet. */
  doorBack: DoorState | null;
  item: ItemState;
}

/** 异常: the database contradicts the item sensor; an unknown sensor contradicts nothing. */
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

/** Reason why a compartment is not available, and its remedy. */
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
 * Most pressing reason, or null when the compartment is available. `refusal`: reason why its cabinet
 * takes no new orders (`orderRefusal`).
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

/** Manual changes of the admin state: allowed source states and resulting state. */
export const adminActions = {
  enable: { from: ["DISABLED", "FAULT"], to: "ENABLED", text: "启用" },
  disable: { from: ["ENABLED"], to: "DISABLED", text: "停用" },
  // FAULT may be marked again: the fault persists, or there is a second one.
  markFault: { from: ["ENABLED", "DISABLED", "FAULT"], to: "FAULT", text: "标记故障" },
} as const satisfies Record<string, { from: AdminState[]; to: AdminState; text: string }>;
export type AdminAction = keyof typeof adminActions;

export function mayChangeAdminState(action: AdminAction, from: AdminState): boolean {
  return (adminActions[action].from as readonly AdminState[]).includes(from);
}

/** 清柜 frees an occupied or reserved compartment, unless the sensor still sees goods. */
export function mayClear(axes: Pick<CompartmentAxes, "occupancy" | "item">): boolean {
  return axes.occupancy !== "FREE" && axes.item !== "PRESENT";
}

/** Finding of a person behind one door during 盘点. */
export const STOCK_FINDINGS = ["EMPTY", "PRESENT", "SKIPPED"] as const;
export type StockFinding = (typeof STOCK_FINDINGS)[number];

/**
 * True if database or sensor contradict the finding; skipped, reserved and unknown contradict
 * nothing.
 */
export function contradictsFinding(
  { occupancy, item }: Pick<CompartmentAxes, "occupancy" | "item">,
  found: StockFinding,
): boolean {
  if (found === "SKIPPED") return false;
  const isAgainstBooks = occupancy === { EMPTY: "OCCUPIED", PRESENT: "FREE" }[found];
  return isAgainstBooks || (item !== "UNKNOWN" && item !== found);
}

/** Occupancy corrected to the finding; a reservation is kept. */
export function occupancyAsFound(occupancy: Occupancy, found: StockFinding): Occupancy {
  if (found === "PRESENT" && occupancy === "FREE") return "OCCUPIED";
  if (found === "EMPTY" && occupancy === "OCCUPIED") return "FREE";
  return occupancy;
}
