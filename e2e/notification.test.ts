// 消息中心: unread entries in the navbar, the panel, its links and read marks, for each kind of account and on a phone.
import { announcementContract } from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const PHONE = { width: 390, height: 844 };
const demo = useWrittenDemo();

const buttonOf = (page: Page) => page.getByRole("button", { name: /^消息中心/ });
const panelOf = (page: Page) => page.getByRole("dialog", { name: "消息中心" });

/** Opens the panel and waits for its first entry. */
async function openPanel(page: Page) {
  await buttonOf(page).click();
  const panel = panelOf(page);
  await panel.getByRole("listitem").first().waitFor();
  return panel;
}

test("notification centre: a severe malfunction first, its link, all read for this account", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1));
  await page.getByRole("button", { name: /^消息中心，\d+ 条未读$/ }).waitFor();
  const panel = await openPanel(page);
  const first = panel.getByRole("region", { name: "待处理" }).getByRole("listitem").first();
  await expect.poll(() => first.textContent()).toMatch(/^严重.+，未读/);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  expect(await buttonOf(page).evaluate((node) => node.matches(":focus"))).toBe(true);

  await openPanel(page);
  await first.getByRole("link").click();
  await page.waitForURL("**/malfunction/incident?id=*");
  await panel.waitFor({ state: "hidden" });
  await page.getByRole("heading", { name: "处理记录" }).waitFor();

  await openPanel(page);
  await panel.getByRole("button", { name: "全部已读" }).click();
  await page.getByRole("button", { name: "消息中心", exact: true }).waitFor();
  // Open states stay until they are dealt with.
  await expect.poll(() => first.textContent()).toMatch(/^严重(?!.*，未读)/);
  await page.mouse.click(40, 400);
  await panel.waitFor({ state: "hidden" });
  await page.reload();
  await openPanel(page);
  expect(await panel.getByText("，未读").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("notification centre: platform staff see tenants and services, each with a link", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0));
  const panel = await openPanel(page);
  await panel.getByRole("link", { name: /租户即将到期/ }).waitFor();
  await panel.getByRole("link", { name: /设备服务已到期/ }).click();
  await page.waitForURL("**/register/cabinetService?state=EXPIRED");
  await page.getByRole("table", { name: "设备服务" }).getByText("已到期").first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("notification centre: an announcement arrives on a phone, is opened and read", async () => {
  const { context, page, complaints } = await demo.visit(PHONE);
  await signIn(page, demo.server.account(2, 2));
  await openPanel(page);
  await page.keyboard.press("Escape");
  const staff = await demo.visit();
  await signIn(staff.page, demo.server.account(2, 1));
  const draft = {
    ...{ kind: "NOTICE", title: "台风停运", version: "", audience: "OPERATOR", userTypes: [2] },
    ...{ tenantIds: [], isPinned: false, expiresAt: null, content: "<p>周六停运</p>" },
  };
  const { data } = await callApiAs(staff.page, announcementContract.create, { body: draft });
  await callApiAs(staff.page, announcementContract.publish, {
    params: { id: data.id },
    body: { publishAt: null },
  });
  const toast = page.getByText("新消息“台风停运”").first();
  await toast.waitFor();
  // On a phone it is as wide as the navbar, and it stays below a pointer.
  await page.mouse.move(PHONE.width / 2, PHONE.height / 2);
  await toast.waitFor({ state: "hidden" });
  const panel = await openPanel(page);
  expect((await panel.boundingBox())?.width).toBe(PHONE.width);
  await panel.getByRole("link", { name: /台风停运\s*，未读/ }).click();
  await page.getByRole("dialog").getByText("周六停运").waitFor();
  await page.keyboard.press("Escape");
  await openPanel(page);
  await panel.getByRole("link", { name: /台风停运/ }).waitFor();
  await expect.poll(() => panel.getByText("台风停运，未读").count()).toBe(0);
  expect(complaints).toEqual([]);
  await Promise.all([context.close(), staff.context.close()]);
});
