// Search box: from the last four digits of a phone to the open door, and to the person's card.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { type Order, orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { signIn } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const demo = useDemo();

/** Stored goods in an online cabinet. */
async function storedOrder(page: Page): Promise<Order> {
  let found: Order | undefined;
  await expect
    .poll(
      async () => {
        const all = { side: "SINGLE", pageSize: 100 };
        const online = { ...all, connectivity: "ONLINE", lifecycle: "ACTIVE" };
        const cabinets = await callApiAs(page, cabinetContract.list, { query: online });
        const ids = new Set(cabinets.data.list.map(({ id }) => id));
        const stored = { ...all, state: "STORED" };
        const orders = await callApiAs(page, orderContract.list, { query: stored });
        found = orders.data.list.find(({ cabinetId }) => ids.has(cabinetId));
        return found !== undefined;
      },
      { timeout: 40_000 },
    )
    .toBe(true);
  return found as Order;
}

test("search: last four digits, Ctrl+K, three clicks to the open door", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/faq/index");
  const order = await storedOrder(page);
  await page.getByRole("button", { name: "搜索", exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("dialog", { name: "搜索" });
  await box.getByRole("searchbox").fill(order.recipient.phone.slice(-4));
  // 1
  await box.getByRole("button", { name: `开门：订单 ${order.id}` }).click();
  const dialog = page.getByRole("dialog", { name: `开门：订单 ${order.id}` });
  // 2
  await dialog.getByRole("button", { name: "用户忘记取件码，已核实身份" }).click();
  // 3
  await dialog.getByRole("button", { name: "开门", exact: true }).click();
  await dialog.getByText("已开门", { exact: true }).waitFor();
  expect(await box.count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});
