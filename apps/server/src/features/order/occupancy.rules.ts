// What the books of a compartment say while an order holds it.
import type { Occupancy } from "@cabinet/contract/compartment/compartment.rules.ts";
import { hasGoods, isLive, type OrderState } from "@cabinet/contract/order/order.rules.ts";

/** Reserved until the goods are in; free once the order holds it no more. */
export function occupancyOf(state: OrderState): Occupancy {
  if (hasGoods(state)) return "OCCUPIED";
  return isLive(state) ? "RESERVED" : "FREE";
}
