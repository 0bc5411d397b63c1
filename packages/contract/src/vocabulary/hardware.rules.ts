// Closed lists of the hardware: sides, sizes, and states of compartments and doors.

export const SIDES = ["SINGLE", "DOUBLE"] as const;
export const sideText: Record<(typeof SIDES)[number], string> = { SINGLE: "单面", DOUBLE: "双面" };

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
/** Doors of each compartment of a cabinet. */
export const doorsOf: { SINGLE: ["FRONT"]; DOUBLE: ["FRONT", "BACK"] } = {
  SINGLE: ["FRONT"],
  DOUBLE: ["FRONT", "BACK"],
};

/** The door on the other side of the same compartment. */
export const otherSide: Record<DoorSide, DoorSide> = { FRONT: "BACK", BACK: "FRONT" };
export const doorSideText: Record<DoorSide, string> = { FRONT: "正面", BACK: "背面" };

export const SN_PATTERN = "^[A-Z0-9]{8,32}$";
