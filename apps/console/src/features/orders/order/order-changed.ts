// Calls invalidated after an action on an order.
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";

export const orderChanged = {
  invalidates: [orderContract.list, orderContract.get, orderContract.timeline],
  isQuiet: true,
};
