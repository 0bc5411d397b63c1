// Runs axe on the pages in light and dark: no serious or critical violation.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { findViolations } from "./support/axe.ts";
import { closeVersionNotice, go, signIn, signInByHand, untilLoaded } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

/** Checks page after page, navigating without reload. */
async function walk(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await go(page, path);
    await untilLoaded(page, path);
    expect.soft(await findViolations(page), path).toEqual([]);
  }
}

test("sign-in", async () => {
  const { context, page, complaints } = await demo.visit();
  await page.goto("/login");
  await page.getByRole("button", { name: "登录" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "登录" }).click();
  expect(await findViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("home, 设备列表 and 格口管理", async () => {
  const { context, page, complaints } = await demo.visit();
  await signInByHand(page, demo.server.account(2, 1));
  await page.getByRole("dialog", { name: "存取柜通知！" }).waitFor();
  expect(await findViolations(page), "version notice").toEqual([]);
  await closeVersionNotice(page);
  await page
    .getByRole("region", { name: "最近的远程操作" })
    .getByRole("listitem")
    .first()
    .waitFor();
  expect(await findViolations(page), "home").toEqual([]);
  await page.getByRole("button", { name: /^消息中心/ }).click();
  const notifications = page.getByRole("dialog", { name: "消息中心" });
  await notifications.getByRole("listitem").first().waitFor();
  expect(await findViolations(page), "消息中心").toEqual([]);
  await page.keyboard.press("Escape");
  await notifications.waitFor({ state: "hidden" });

  await page.goto("/cupboard/index?lifecycle=ACTIVE");
  await page.getByRole("link", { name: "格口管理" }).first().waitFor();
  expect(await findViolations(page), "设备列表").toEqual([]);
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  for (const part of ["运行状态", "基本信息", "参数", "最近操作"]) {
    await page.getByRole("dialog").getByRole("heading", { name: part }).waitFor();
  }
  expect(await findViolations(page), "设备列表, 详情").toEqual([]);
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "格口管理" }).first().click();
  await page.getByRole("gridcell").first().waitFor();
  expect(await findViolations(page), "格口管理").toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

/** A slow machine, on which a person types faster than a dialog opens. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
}

const focusIsIn = (dialog: Locator): Promise<boolean> =>
  dialog.evaluate((element) => element.matches(":focus-within"));

test("drawer still loading: takes the focus, closes on Escape, returns the focus", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboardRun/rider/order");
  const opener = page.getByRole("row").nth(1).getByRole("button").first();
  await opener.waitFor();
  await untilLoaded(page, "orders");
  // No reply arrives before the drawer is closed.
  await page.route("**/api/**", () => {});
  await opener.press("Enter");
  const drawer = page.getByRole("dialog");
  await drawer.waitFor();
  await expect.poll(() => focusIsIn(drawer)).toBe(true);
  expect(await findViolations(page), "订单, 加载中").toEqual([]);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => opener.evaluate((element) => element.matches(":focus"))).toBe(true);
  await context.close();
});

test("dialog that asks for a reason: gets the letters typed while it opens", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboard/index?lifecycle=ACTIVE");
  await page.getByRole("link", { name: "格口管理" }).first().click();
  await page.getByRole("gridcell").getByRole("button", { name: "门已关" }).first().click();
  const disable = page.getByRole("button", { name: "停用", exact: true });
  await disable.waitFor();
  await slowDown(page);
  await disable.press("Enter");
  const reason = page.getByRole("dialog").getByRole("textbox");
  await reason.waitFor();
  await page.keyboard.type("repair of the lock");
  await expect.poll(() => reason.inputValue()).toBe("repair of the lock");
  await context.close();
});

test("设备类型 and its layout editor", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0), "/cupboard/ModelList");
  await page.getByText("双面柜 36 格", { exact: true }).click();
  await page.getByRole("dialog").getByRole("gridcell").first().waitFor();
  expect(await findViolations(page), "设备类型, 详情").toEqual([]);
  await page.keyboard.press("Escape");
  const row = page.getByRole("row").filter({ hasText: "单面柜 36 格" });
  await row.getByRole("link", { name: "编辑" }).click();
  const cells = page.getByRole("gridcell").getByRole("button");
  await cells.first().waitFor();
  expect(await findViolations(page), "布局").toEqual([]);
  await cells.nth(1).click();
  await page.getByLabel("驱动板地址", { exact: true }).fill("01-01");
  await page.getByText("有 2 处需要修正").waitFor();
  expect(await findViolations(page), "布局, 有误").toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Device pages that no other test of this file covers. */
const DEVICE_PAGES = [
  "/cupboard/index?view=ranking",
  "/cupboard/index?view=rollouts",
  "/cupboard/ModelList?view=firmware",
  "/cupboard/banner",
  "/cupboard/record",
  "/cupboard/log",
  "/point/index",
  "/point/pointEdit",
  "/register/deviceList",
  "/register/cabinetService",
  "/register/record",
  "/set/secretKey/cupboardKey",
];

/** Pages of orders and money of one side; the other side uses the same pages. */
const MONEY_PAGES = [
  "/cupboardRun/index",
  "/cupboardRun/index?view=sizes",
  "/cupboardRun/index?view=pricing",
  "/cupboardRun/rider/order",
  "/cupboardRun/pay/payList",
  "/cupboardRun/pay/payList?view=cards",
  "/cupboardRun/pay/mealAdd",
  "/cupboardRun/pay/topUp",
  "/cupboardRun/pay/topUp?view=topUps",
  "/cupboardRun/pay/payRecord",
  "/thirdPartApi/record?view=calls",
  "/cupboardRun/pay/payRecord?view=reconciliation",
  "/thirdPartApi/order",
  "/cupboardRun/template",
  "/smsManage/send",
  "/smsManage/send?view=subscribe",
  "/smsManage/synopsis",
  "/smsManage/index?view=entries",
  "/idConfig/wechat",
  "/idConfig/pay",
  "/largeScreen",
  "/doc/api",
  "/doc/sdk?view=api#open-api.createOrder",
];

/** Pages of users, tenants and settings, as platform staff see them. */
const PEOPLE_PAGES = [
  "/smsManage/index",
  "/user/normalUser",
  "/user/normalUser?view=tags",
  "/user/userAdmin",
  "/user/operationAdmin",
  "/register/index",
  "/register/registerAdd",
  "/register/viewSms?tenantId=2",
  "/set/role",
  "/set/power",
  "/set/role?view=edit",
  "/malfunction/index",
  "/malfunction/incident?id=1",
  "/set/maintenance",
  "/set/maintenance?view=notices",
  "/set/otherConfig",
  "/doc/sre",
  "/doc/manual",
  "/thirdPartApi/set?view=apps",
  "/set/audit",
  "/thirdPartApi/record?view=debug",
  "/set/loginLog",
  "/set/loginLog?view=sessions",
  "/settings/index",
  "/settings/notice",
  "/settings/help",
  "/inform/index",
  "/inform/edit",
  "/faq/index",
  "/faq/index?view=categories",
  "/faq/index?view=platform",
  "/faq/faqEdit",
];

test("pages of users, tenants and settings", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0));
  await walk(page, PEOPLE_PAGES);
  expect(complaints).toEqual([]);
  await context.close();
});

test("impersonation: dialog, and home under the banner", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0));
  await page.getByRole("button", { name: "进入租户" }).click();
  const dialog = page.getByRole("dialog", { name: "进入租户" });
  await dialog.getByRole("button", { name: "进入查看" }).click();
  await dialog.getByText("原因不能为空").waitFor();
  expect(await findViolations(page), "进入租户, 有误").toEqual([]);
  await dialog.getByRole("combobox", { name: "租户" }).click();
  await page.locator(".ant-select-item-option").first().click();
  await dialog.getByLabel("原因").fill("核对租户的设置");
  await dialog.getByRole("button", { name: "进入查看" }).click();
  await page.getByRole("region", { name: "只读查看" }).waitFor();
  await page.getByRole("link", { name: /^设备总数/ }).waitFor();
  expect(await findViolations(page), "首页, 只读查看").toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("pages of orders and money", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1));
  await walk(page, MONEY_PAGES);
  expect(complaints).toEqual([]);
  await context.close();
});

test("order drawer, refund form with errors, 格口配比 on a phone", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(
    page,
    demo.server.account(2, 1),
    "/cupboardRun/rider/order?state=COMPLETED&payStatus=PAID",
  );
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  const detail = page.getByRole("dialog");
  await detail.getByRole("button", { name: /^展开全部/ }).click();
  await detail.getByText("创建订单").waitFor();
  expect(await findViolations(page), "订单").toEqual([]);
  await detail.getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: /^退款：/ });
  await refund.getByRole("button", { name: "退款" }).click();
  await refund.getByText("原因不能为空").waitFor();
  expect(await findViolations(page), "退款, 有误").toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/cupboardRun/index?view=sizes");
  await page.getByRole("region", { name: "各时段满柜时长" }).waitFor();
  expect(await findViolations(page), "格口配比, 手机").toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("other device pages", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0), "/cupboard/index?lifecycle=ACTIVE");
  const edit = page.getByRole("link", { name: "编辑" }).first();
  const editPath = (await edit.getAttribute("href")) ?? "";
  expect(editPath).toMatch(/^\/cupboard\/cupboardEdit\?id=\d+$/);
  await walk(page, [...DEVICE_PAGES, editPath]);
  expect(complaints).toEqual([]);
  await context.close();
});
