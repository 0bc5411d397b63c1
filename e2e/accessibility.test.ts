// No page that people start from has a serious or critical barrier, in light or in dark.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { closeVersionNotice, signIn, untilLoaded } from "./support/browser.ts";
import { useDemo } from "./support/house.ts";

const THEMES = ["light", "dark"] as const;
/** Colours in the middle of a transition are nobody's. */
const SETTLE_MS = 500;

const demo = useDemo();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const STANDS_STILL =
  "!document.getAnimations().some((each) => each instanceof CSSTransition && each.playState === 'running')";

/** What is seriously wrong on the page once it stands still, each with its first places. */
async function barriers(page: Page): Promise<string[]> {
  await page.waitForTimeout(SETTLE_MS);
  await expect.poll(() => page.evaluate(STANDS_STILL), { timeout: 15_000 }).toBe(true);
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.target} ${node.failureSummary}`)
          .join("; ")}`,
    );
}

test.each(THEMES)("sign-in, %s", async (theme) => {
  const { context, page, complaints } = await demo.visit();
  await page.emulateMedia({ colorScheme: theme });
  await page.goto("/login");
  await page.getByRole("button", { name: "登录" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("button", { name: "登录" }).click();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test.each(THEMES)("home, 设备列表 and 格口管理, %s", async (theme) => {
  const { context, page, complaints } = await demo.visit();
  await page.emulateMedia({ colorScheme: theme });
  await signIn(page, demo.server.account(2, 1));
  await page.getByRole("dialog", { name: "存取柜通知！" }).waitFor();
  expect(await barriers(page), "version notice").toEqual([]);
  await closeVersionNotice(page);
  await page
    .getByRole("region", { name: "最近的远程操作" })
    .getByRole("listitem")
    .first()
    .waitFor();
  expect(await barriers(page), "home").toEqual([]);

  await page.goto("/cupboard/index?lifecycle=ACTIVE");
  await page.getByRole("link", { name: "格口管理" }).first().waitFor();
  expect(await barriers(page), "设备列表").toEqual([]);
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  await page.getByRole("dialog").getByText("最近操作").waitFor();
  expect(await barriers(page), "设备列表, 详情").toEqual([]);
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "格口管理" }).first().click();
  await page.getByRole("gridcell").first().waitFor();
  expect(await barriers(page), "格口管理").toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test.each(THEMES)("设备类型 and its layout editor, %s", async (theme) => {
  const { context, page, complaints } = await demo.visit();
  await page.emulateMedia({ colorScheme: theme });
  await signIn(page, demo.server.account(1, 0));
  await page.goto("/cupboard/ModelList");
  await page.getByText("双面柜 36 格", { exact: true }).click();
  await page.getByRole("dialog").getByRole("gridcell").first().waitFor();
  expect(await barriers(page), "设备类型, 详情").toEqual([]);
  await page.keyboard.press("Escape");
  const row = page.getByRole("row").filter({ hasText: "单面柜 36 格" });
  await row.getByRole("link", { name: "编辑" }).click();
  const cells = page.getByRole("gridcell").getByRole("button");
  await cells.first().waitFor();
  expect(await barriers(page), "布局").toEqual([]);
  await cells.nth(1).click();
  await page.getByLabel("驱动板地址", { exact: true }).fill("01-01");
  await page.getByText("有 2 处需要修正").waitFor();
  expect(await barriers(page), "布局, 有误").toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Pages of devices that no other test of this file looks at. */
const DEVICE_PAGES = [
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

/** Pages of orders and money, of one side: the other has the same. */
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
  "/cupboardRun/pay/payRecord?view=reconciliation",
  "/smsManage/send",
  "/idConfig/pay",
  "/largeScreen",
];

/** Pages of people, tenants and settings, as the platform has them. */
const PEOPLE_PAGES = [
  "/user/normalUser",
  "/user/normalUser?view=tags",
  "/user/userAdmin",
  "/user/operationAdmin",
  "/register/index",
  "/register/registerAdd",
  "/register/viewSms?tenantId=2",
  "/smsManage/index",
  "/set/role",
  "/set/power",
  "/set/role?view=edit",
  "/set/maintenance",
  "/set/maintenance?view=notices",
  "/set/otherConfig",
  "/set/audit",
  "/set/loginLog",
  "/set/loginLog?view=sessions",
  "/settings/index",
];

test("the pages of people, tenants and settings, light and dark", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0));
  for (const path of PEOPLE_PAGES) {
    await page.goto(path);
    await untilLoaded(page, path);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      expect.soft(await barriers(page), `${path}, ${theme}`).toEqual([]);
    }
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test.each(THEMES)("entering a tenant, and home under its banner, %s", async (theme) => {
  const { context, page, complaints } = await demo.visit();
  await page.emulateMedia({ colorScheme: theme });
  await signIn(page, demo.server.account(1, 0));
  await page.getByRole("button", { name: "进入租户" }).click();
  const dialog = page.getByRole("dialog", { name: "进入租户" });
  await dialog.getByRole("button", { name: "进入查看" }).click();
  await dialog.getByText("原因不能为空").waitFor();
  expect(await barriers(page), "进入租户, 有误").toEqual([]);
  await dialog.getByRole("combobox", { name: "租户" }).click();
  await page.locator(".ant-select-item-option").first().click();
  await dialog.getByLabel("原因").fill("核对租户的设置");
  await dialog.getByRole("button", { name: "进入查看" }).click();
  await page.getByRole("region", { name: "只读查看" }).waitFor();
  await page.getByRole("link", { name: /^设备总数/ }).waitFor();
  expect(await barriers(page), "首页, 只读查看").toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("the pages of orders and money, light and dark", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1));
  await closeVersionNotice(page);
  for (const path of MONEY_PAGES) {
    await page.goto(path);
    const is = "table[aria-busy=false], form button[type=submit], .ui-state, .screen-figure dd";
    await page.locator(is).last().waitFor({ state: "attached" });
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      expect.soft(await barriers(page), `${path}, ${theme}`).toEqual([]);
    }
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test.each(THEMES)("an order, its refund and what is wrong in a form, %s", async (theme) => {
  const { context, page, complaints } = await demo.visit();
  await page.emulateMedia({ colorScheme: theme });
  await signIn(page, demo.server.account(2, 1));
  await closeVersionNotice(page);
  await page.goto("/cupboardRun/rider/order?state=COMPLETED&payStatus=PAID");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  const detail = page.getByRole("dialog");
  await detail.getByText("创建订单").waitFor();
  expect(await barriers(page), "订单").toEqual([]);
  await detail.getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: /^退款：/ });
  await refund.getByRole("button", { name: "退款" }).click();
  await refund.getByText("原因不能为空").waitFor();
  expect(await barriers(page), "退款, 有误").toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/cupboardRun/index?view=sizes");
  await page.getByRole("region", { name: "各时段满柜时长" }).waitFor();
  expect(await barriers(page), "格口配比, 手机").toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("the other pages of devices, light and dark", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0));
  await page.goto("/cupboard/index?lifecycle=ACTIVE");
  const edit = page.getByRole("link", { name: "编辑" }).first();
  const editPath = (await edit.getAttribute("href")) ?? "";
  expect(editPath).toMatch(/^\/cupboard\/cupboardEdit\?id=\d+$/);
  for (const path of [...DEVICE_PAGES, editPath]) {
    await page.goto(path);
    await page.locator("table[aria-busy=false], form button[type=submit]").last().waitFor();
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      expect.soft(await barriers(page), `${path}, ${theme}`).toEqual([]);
    }
  }
  expect(complaints).toEqual([]);
  await context.close();
});
