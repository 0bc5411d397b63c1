// Pure rules of a compartment: four axes, and what follows from them.

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
};

/** The first thing in the way, or null when the compartment is available. */
export function unavailableReason(axes: CompartmentAxes): UnavailableReason | null {
  if (axes.adminState !== "ENABLED") return axes.adminState;
  if (isContradictory(axes)) return "CONTRADICTORY";
  if (axes.doorFront === "OPEN" || axes.doorBack === "OPEN") return "DOOR_OPEN";
  return axes.occupancy === "FREE" ? null : axes.occupancy;
}
