// Pure rules of an order: its states, the transitions between them, their texts.
import { type PricingRule, priceOf } from "../../money/pricing/pricing.rules.ts";
import type { DoorSide, ItemState, SIDES } from "../../vocabulary/hardware.rules.ts";
import type { OrderState } from "../../vocabulary/order.rules.ts";

export const PAY_STATUSES = ["NONE", "UNPAID", "PAID", "PARTIAL_REFUND", "REFUNDED"] as const;
export type PayStatus = (typeof PAY_STATUSES)[number];
export const payStatusText: Record<PayStatus, string> = {
  NONE: "无需支付",
  UNPAID: "待支付",
  PAID: "已支付",
  PARTIAL_REFUND: "部分退款",
  REFUNDED: "已退款",
};

/** Purpose of opening a door. */
export const OPEN_PURPOSES = ["DEPOSIT", "PICKUP", "TAKE_BACK"] as const;
export type OpenPurpose = (typeof OPEN_PURPOSES)[number];
export const openPurposeText: Record<OpenPurpose, string> = {
  DEPOSIT: "存件",
  PICKUP: "取件",
  TAKE_BACK: "取回",
};

/**
 * Double-sided cabinets: deposit at the back, pickup at the front; riders take back at the back.
 */
export function doorSideFor(side: (typeof SIDES)[number], purpose: OpenPurpose): DoorSide {
  return side === "DOUBLE" && purpose !== "PICKUP" ? "BACK" : "FRONT";
}

/** True while the order holds its compartment; an EXCEPTION does so until a person settles it. */
export function isLive(state: OrderState): boolean {
  return state in openPurposes || state === "PICKING";
}

/**
 * Purposes that a door may be opened for, by state; every state with goods allows taking them out.
 */
const openPurposes: Partial<Record<OrderState, readonly OpenPurpose[]>> = {
  PENDING: ["DEPOSIT"],
  DEPOSITING: ["DEPOSIT"],
  STORED: ["PICKUP", "TAKE_BACK"],
  OVERDUE: ["PICKUP", "TAKE_BACK"],
  // The door was opened but may have closed before the goods were taken.
  PICKING: ["PICKUP", "TAKE_BACK"],
  EXCEPTION: ["PICKUP", "TAKE_BACK"],
};

/** Reservations that an application may always have, so that a small cabinet is of use to it. */
const LEAST_RESERVED = 2;

/** Unfinished reservations of one application among `total` compartments of a size. */
export function mostReserved(total: number, sharePercent: number): number {
  return Math.max(LEAST_RESERVED, Math.ceil((total * sharePercent) / 100));
}

/** Whether an order's door may be opened for this purpose while it is in this state. */
export function mayOpenFor(state: OrderState, purpose: OpenPurpose): boolean {
  return openPurposes[state]?.includes(purpose) ?? false;
}

/** Happening that may change an order's state. `item`: what the sensor saw when the door closed. */
export type OrderHappening =
  | { kind: "DOOR_OPENED"; purpose: OpenPurpose }
  | { kind: "DOOR_CLOSED"; purpose: OpenPurpose; item: ItemState; isOverdue: boolean }
  | { kind: "DEPOSIT_TIMED_OUT"; item: ItemState; isDoorOpen: boolean }
  | { kind: "BECAME_OVERDUE" }
  | { kind: "EXTENDED" }
  | { kind: "CANCELLED"; item: ItemState; isDoorOpen: boolean }
  | { kind: "FORCE_COMPLETED" }
  | { kind: "CLEARED" }
  | { kind: "MARKED_EXCEPTION" }
  | { kind: "CONTRADICTED" };

const stateOpened = {
  DEPOSIT: "DEPOSITING",
  PICKUP: "PICKING",
  TAKE_BACK: "PICKING",
} as const satisfies Record<OpenPurpose, OrderState>;

/** Next state; null where this happening is impossible in this state. */
export function nextOrderState(state: OrderState, happening: OrderHappening): OrderState | null {
  switch (happening.kind) {
    case "DOOR_OPENED":
      if (!mayOpenFor(state, happening.purpose)) return null;
      return stateOpened[happening.purpose];
    case "DOOR_CLOSED":
      return afterDoorClosed(state, happening);
    case "DEPOSIT_TIMED_OUT":
    case "CANCELLED":
      return afterGivingUp(state, happening);
    case "BECAME_OVERDUE":
      return state === "STORED" ? "OVERDUE" : null;
    case "EXTENDED":
      return state === "STORED" || state === "OVERDUE" ? "STORED" : null;
    case "FORCE_COMPLETED":
      return hasGoods(state) ? "COMPLETED" : null;
    case "CLEARED":
      return isLive(state) ? "ADMIN_CLEARED" : null;
    case "MARKED_EXCEPTION":
      return isLive(state) && state !== "EXCEPTION" ? "EXCEPTION" : null;
    // A late report proves that the order is not as recorded, even if it has ended.
    case "CONTRADICTED":
      return state !== "EXCEPTION" ? "EXCEPTION" : null;
  }
}

/** True if, according to the database, goods lie in the order's compartment. */
export function hasGoods(state: OrderState): boolean {
  return isLive(state) && state !== "PENDING" && state !== "DEPOSITING";
}

/** The goods lie behind a closed door, and nothing is wrong: another person may become their recipient. */
export function mayChangeRecipient(state: OrderState): boolean {
  return state === "STORED" || state === "OVERDUE";
}

function afterDoorClosed(
  state: OrderState,
  { purpose, item, isOverdue }: Extract<OrderHappening, { kind: "DOOR_CLOSED" }>,
): OrderState | null {
  // An unknown sensor does not object: the closed door counts.
  if (state === "DEPOSITING") return item === "EMPTY" ? "DEPOSITING" : "STORED";
  if (state !== "PICKING") return null;
  if (item === "PRESENT") return isOverdue ? "OVERDUE" : "STORED";
  return purpose === "TAKE_BACK" ? "TAKEN_BACK" : "COMPLETED";
}

/**
 * Frees only a compartment that is certainly empty. Otherwise a cancel request is refused, and a
 * deposit that timed out becomes an EXCEPTION, since there is no caller to refuse.
 */
function afterGivingUp(
  state: OrderState,
  { kind, item, isDoorOpen }: Extract<OrderHappening, { item: ItemState; isDoorOpen: boolean }>,
): OrderState | null {
  if (state !== "PENDING" && state !== "DEPOSITING") return null;
  // Before an opening an unknown sensor does not object; afterwards goods may lie inside.
  const isEmpty = { PENDING: item !== "PRESENT", DEPOSITING: item === "EMPTY" }[state];
  if (isEmpty && !isDoorOpen) return "CANCELLED";
  return kind === "CANCELLED" ? null : "EXCEPTION";
}

/**
 * True in states in which the price grows with time: goods lie inside, no door is open for taking them out, and nothing is
 * wrong. A request for an opening stops it while the result is awaited or in doubt.
 */
export function isPriceRunning(state: OrderState): boolean {
  return hasGoods(state) && state !== "PICKING" && state !== "EXCEPTION";
}

/** Price of a stay in fen. `runningMinutes`: minutes to charge up to now; null while the price stands or nothing is stored. */
export function currentPriceFen(
  rule: PricingRule,
  { priceFen, runningMinutes }: { priceFen: number; runningMinutes: number | null },
): number {
  return runningMinutes === null ? priceFen : priceOf(rule, runningMinutes);
}

/** Price of a stay and how it was settled, in fen. */
export interface OrderMoney {
  priceFen: number;
  coveredFen: number;
  waivedFen: number;
  paidPrincipalFen: number;
  paidBonusFen: number;
  refundedPrincipalFen: number;
  refundedBonusFen: number;
}

export function paidFen(money: Pick<OrderMoney, "paidPrincipalFen" | "paidBonusFen">): number {
  return money.paidPrincipalFen + money.paidBonusFen;
}

export function refundedFen(
  money: Pick<OrderMoney, "refundedPrincipalFen" | "refundedBonusFen">,
): number {
  return money.refundedPrincipalFen + money.refundedBonusFen;
}

/** Amount still owed; refunded amounts are not owed again. */
export function owedFen(money: OrderMoney): number {
  return Math.max(0, money.priceFen - money.coveredFen - money.waivedFen - paidFen(money));
}

/** Pay status, derived from the order's sums; it is not stored. */
export function payStatusOf(money: OrderMoney): PayStatus {
  const [paid, refunded] = [paidFen(money), refundedFen(money)];
  if (refunded > 0) return refunded === paid ? "REFUNDED" : "PARTIAL_REFUND";
  if (owedFen(money) > 0) return "UNPAID";
  return paid > 0 ? "PAID" : "NONE";
}

/** Kinds of timeline entries. */
export const ORDER_EVENT_KINDS = [
  "CREATED",
  "OPEN_REQUESTED",
  "DOOR_OPENED",
  "DOOR_NOT_OPENED",
  "DOOR_CLOSED",
  "STORED",
  "CODE_SENT",
  "OVERDUE",
  "EXTENDED",
  "MOVED",
  "RECIPIENT_CHANGED",
  "COVERED",
  "PAID",
  "REFUNDED",
  "COMPLETED",
  "CANCELLED",
  "TAKEN_BACK",
  "FORCE_COMPLETED",
  "CLEARED",
  "EXCEPTION",
] as const;
export type OrderEventKind = (typeof ORDER_EVENT_KINDS)[number];
export const orderEventText: Record<OrderEventKind, string> = {
  CREATED: "创建订单",
  OPEN_REQUESTED: "请求开门",
  DOOR_OPENED: "箱门已开",
  DOOR_NOT_OPENED: "箱门未打开",
  DOOR_CLOSED: "箱门已关",
  STORED: "物品已存入",
  CODE_SENT: "发送取件码",
  OVERDUE: "已滞留",
  EXTENDED: "延长存放",
  MOVED: "更换格口",
  RECIPIENT_CHANGED: "更正取件人",
  COVERED: "套餐抵扣",
  PAID: "支付",
  REFUNDED: "退款",
  COMPLETED: "取件完成",
  CANCELLED: "订单取消",
  TAKEN_BACK: "物品已取回",
  FORCE_COMPLETED: "强制完成",
  CLEARED: "清柜",
  EXCEPTION: "转为异常",
};

/**
 * Rate limit: each code message costs the tenant money and bothers its reader, whoever requests
 * it.
 */
export const CODE_RESENDS_PER_ORDER: readonly { max: number; seconds: number }[] = [
  { max: 1, seconds: 60 },
  { max: 5, seconds: 3600 },
];
