// Display of an order's state and payment status.
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import {
  isLive,
  owedFen,
  type PayStatus,
  payStatusText,
} from "@cabinet/contract/orders/order/order.rules.ts";
import { type OrderState, orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";

const stateTone: Record<OrderState, Tone> = {
  PENDING: "waiting",
  DEPOSITING: "waiting",
  STORED: "good",
  OVERDUE: "doubtful",
  PICKING: "waiting",
  COMPLETED: "quiet",
  CANCELLED: "quiet",
  TAKEN_BACK: "quiet",
  ADMIN_CLEARED: "quiet",
  EXCEPTION: "bad",
};

export function StateStatus({ of }: { of: OrderState }) {
  return <Status tone={stateTone[of]}>{orderStateText[of]}</Status>;
}

const payTone: Record<PayStatus, Tone> = {
  NONE: "quiet",
  UNPAID: "doubtful",
  PAID: "good",
  PARTIAL_REFUND: "quiet",
  REFUNDED: "quiet",
};

/** Payment text; a live order that owes money pays at pickup. */
export function payText(order: Order): string {
  const { payStatus, state } = order;
  const isRunning = payStatus === "NONE" && isLive(state) && owedFen(order) > 0;
  return isRunning ? "取件时支付" : payStatusText[payStatus];
}

export function PayStatusText({ order }: { order: Order }) {
  return <Status tone={payTone[order.payStatus]}>{payText(order)}</Status>;
}
