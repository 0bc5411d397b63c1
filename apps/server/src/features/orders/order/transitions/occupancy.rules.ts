// Occupancy of a compartment while an order holds it.
import { hasGoods, isLive } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Occupancy } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";

/** RESERVED until the goods are in; FREE once the order is not live any more. */
export function occupancyOf(state: OrderState): Occupancy {
  if (hasGoods(state)) return "OCCUPIED";
  return isLive(state) ? "RESERVED" : "FREE";
}
