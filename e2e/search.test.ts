// Search box: by keyboard, and to the person's card. To the open door: tasks.test.ts.
import { endUserContract } from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { findViolations } from "./support/axe.ts";
import { signIn } from "./support/browser.ts";
import { findStoredOrder } from "./support/stored-order.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

const entryOf = (page: Page) => page.getByRole("button", { name: "搜索手机号、订单、设备" });
const boxOf = (page: Page) => page.getByRole("dialog", { name: "搜索", exact: true });

test("search: the keyboard opens it, walks through the hits, opens one and closes it", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/faq/index");
  const entry = entryOf(page);
  await entry.focus();
  await page.keyboard.press("Control+k");
  const box = boxOf(page);
  const field = box.getByRole("searchbox");
  await expect.poll(() => field.evaluate((element) => element.matches(":focus"))).toBe(true);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  expect(await entry.evaluate((element) => element.matches(":focus"))).toBe(true);

  await page.keyboard.press("Control+k");
  await field.fill("故障处理");
  const hit = box.getByRole("region", { name: "页面" }).getByRole("link").first();
  await hit.waitFor();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => box.locator("[data-hit]:focus").count()).toBe(1);
  await page.keyboard.press("ArrowUp");
  expect(await field.evaluate((element) => element.matches(":focus"))).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/malfunction/index?*");
  expect(await box.count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("search: keys that come before its file are in the field", async () => {
  const { context, page } = await demo.visit();
  await page.route("**/assets/search-*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await route.continue();
  });
  await signIn(page, demo.server.account(2, 1), "/faq/index");
  await entryOf(page).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("13889", { delay: 30 });
  await page.keyboard.press("Backspace");
  expect(await boxOf(page).count()).toBe(0);
  await expect.poll(() => boxOf(page).getByRole("searchbox").inputValue()).toBe("1388");
  await page.keyboard.type("00");
  expect(await boxOf(page).getByRole("searchbox").inputValue()).toBe("138800");
  await context.close();
});

test("person card: a note is added for the next who answers, and deleted", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/faq/index");
  const { data } = await callApiAs(page, endUserContract.list, { query: {} });
  const phone = data.list[0]?.phone ?? "";
  await entryOf(page).click();
  const box = boxOf(page);
  await box.getByRole("searchbox").fill(phone.slice(-4));
  const people = box.getByRole("region", { name: "用户" });
  await people.getByRole("button").filter({ hasText: phone }).first().click();
  const card = page.getByRole("dialog", { name: /^(?!添加备注).*\d{3}\*{4}\d{4}$/ });
  await card.getByRole("button", { name: "添加备注" }).click();
  const form = page.getByRole("dialog", { name: /^添加备注：/ });
  await form.getByRole("button", { name: "添加", exact: true }).click();
  await form.getByText("备注不能为空").waitFor();
  await form.getByLabel("备注", { exact: true }).fill("要求改到一楼的设备");
  await form.getByRole("button", { name: "添加", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  const note = card.getByRole("listitem").filter({ hasText: "要求改到一楼的设备" });
  await note.getByText(/\d\d:\d\d:\d\d，李伟（[\w-]+）$/).waitFor();

  await note.getByRole("button", { name: "删除" }).click();
  const deletion = page.getByRole("dialog", { name: "删除备注" });
  await deletion.getByText("要求改到一楼的设备").waitFor();
  await deletion.getByRole("button", { name: "删除" }).click();
  await deletion.waitFor({ state: "hidden" });
  await note.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await context.close();
});

test.for([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])("search at $width px: box, hits, person card and its door; axe finds nothing", async (size) => {
  const { context, page, complaints } = await demo.visit(size);
  await signIn(page, demo.server.account(2, 1), "/faq/index");
  const order = await findStoredOrder(page);
  await entryOf(page).click();
  const box = boxOf(page);
  const card = page.getByRole("dialog", { name: /^(?!添加备注).*\d{3}\*{4}\d{4}$/ });
  await box.getByRole("searchbox").waitFor();
  expect(await findViolations(page), "empty").toEqual([]);
  await box.getByRole("searchbox").fill(order.recipient.phone.slice(-4));
  await box.getByRole("button", { name: `开门：订单 ${order.id}` }).waitFor();
  expect(await findViolations(page), "hits").toEqual([]);
  const people = box.getByRole("region", { name: "用户" }).getByRole("button");
  await people.filter({ hasText: order.recipient.phone }).click();
  const titles = ["备注", "进行中的订单", "最近订单", "钱包", "套餐卡", "交易记录", "锁定记录"];
  for (const title of titles) {
    await card.getByRole("heading", { name: title, exact: true }).waitFor();
  }
  await card.locator(".order-why, .order-why-none").first().waitFor();
  await card.getByText("正在加载").waitFor({ state: "hidden" });
  expect(await findViolations(page), "card").toEqual([]);
  await card.getByRole("button", { name: "开门", exact: true }).first().click();
  await page.getByRole("dialog", { name: /^开门：订单 \d+$/ }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
