// Waits for goods that the demo stored in a cabinet whose doors can be opened.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { type Order, orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { callApiAs } from "./api.ts";

/** The newest stored order in an online single-sided cabinet, read by the session of `page`. */
export async function findStoredOrder(page: Page): Promise<Order> {
  let found: Order | undefined;
  const all = { side: "SINGLE", pageSize: 100 };
  const findOrder = async () => {
    const online = { ...all, connectivity: "ONLINE", lifecycle: "ACTIVE" };
    const cabinets = await callApiAs(page, cabinetContract.list, { query: online });
    const ids = new Set(cabinets.data.list.map(({ id }) => id));
    const stored = { ...all, state: "STORED" };
    const orders = await callApiAs(page, orderContract.list, { query: stored });
    found = orders.data.list.find(({ cabinetId }) => ids.has(cabinetId));
    return found;
  };
  await expect.poll(findOrder).toBeDefined();
  return found as Order;
}
