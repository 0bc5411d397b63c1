// What is asked again once something was done to an order.
import { orderContract } from "@cabinet/contract/order/order.contract.ts";

export const orderChanged = {
  invalidates: [orderContract.list, orderContract.get, orderContract.timeline],
  isQuiet: true,
};
