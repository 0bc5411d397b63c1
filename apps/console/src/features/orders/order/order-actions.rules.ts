// Actions allowed on an order in its state, with the reason for each blocked one.
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import {
  hasGoods,
  isLive,
  mayChangeRecipient,
  mayOpenFor,
  nextOrderState,
  OPEN_PURPOSES,
  type OpenPurpose,
  paidFen,
  refundedFen,
} from "@cabinet/contract/orders/order/order.rules.ts";

export const ACTIONS = [
  "open",
  "resendCode",
  "showCode",
  "changeRecipient",
  "extend",
  "complete",
  "cancel",
  "refund",
  "markException",
] as const;
export type Action = (typeof ACTIONS)[number];
export const actionText: Record<Action, string> = {
  open: "开门",
  showCode: "查看取件码",
  resendCode: "重发取件码",
  changeRecipient: "更正手机号",
  extend: "延长",
  complete: "强制完成",
  cancel: "取消订单",
  refund: "退款",
  markException: "转故障",
};

/** Purposes for which the door may be opened in this state. */
export function purposesOf({ state }: Pick<Order, "state">): OpenPurpose[] {
  return OPEN_PURPOSES.filter((purpose) => mayOpenFor(state, purpose));
}

/** Paid and not yet refunded, in fen. */
export function refundableFen(order: Order): number {
  return paidFen(order) - refundedFen(order);
}

/** Null if allowed, else the reason and what to do instead. */
export function blockedBy(action: Action, order: Order): string | null {
  const { state } = order;
  const isOver = !isLive(state);
  const over = "订单已结束，不再占用格口";
  switch (action) {
    case "open":
      return isOver ? `${over}；需要开门请到格口管理` : null;
    case "showCode":
    case "resendCode":
      if (isOver) return over;
      return hasGoods(state) ? null : "物品未存入，暂无取件码";
    case "changeRecipient":
      if (mayChangeRecipient(state)) return null;
      if (isOver) return over;
      return hasGoods(state) ? "正在取件或异常中，不能更正" : "物品未存入，请取消后重新下单";
    case "extend":
      if (nextOrderState(state, { kind: "EXTENDED" })) return null;
      if (isOver) return over;
      return hasGoods(state) ? "正在取件或异常中，不能延长" : "物品未存入，不能延长";
    case "complete":
      if (nextOrderState(state, { kind: "FORCE_COMPLETED" })) return null;
      return isOver ? over : "物品未存入，请改用“取消订单”";
    case "cancel":
      if (nextOrderState(state, { kind: "CANCELLED", item: "EMPTY", isDoorOpen: false }))
        return null;
      return isOver ? over : "物品已经存入，不能取消：请开门取回，或强制完成";
    case "refund":
      if (refundableFen(order) > 0) return null;
      return paidFen(order) === 0 ? "没有收过款，无需退款" : "已经全部退款";
    case "markException":
      if (nextOrderState(state, { kind: "MARKED_EXCEPTION" })) return null;
      return isOver ? over : "已经是异常订单";
  }
}
