// Runs axe on states that no route shows: dialogs, drawers and forms with errors. Pages: routes.test.ts; parts: parts/.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { findViolations } from "./support/axe.ts";
import { closeVersionNotice, go, signIn, signInByHand, untilLoaded } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

async function look(page: Page, state: string): Promise<void> {
  expect.soft(await findViolations(page), state).toEqual([]);
}

test("operator: sign-in, notices, drawers of a cabinet and of an order, refund with errors, a phone", async () => {
  const { context, page, complaints } = await demo.visit();
  const html = await (await page.goto("/login"))?.text();
  // The splash is shown before the script, and goes with the first drawing (§2).
  expect(html).toContain("正在加载…");
  await page.getByRole("button", { name: "登录" }).click();
  expect(await page.getByText("正在加载…").count()).toBe(0);
  await look(page, "sign-in with errors");
  await signInByHand(page, demo.server.account(2, 1));
  await page.getByRole("dialog", { name: "存取柜通知！" }).waitFor();
  await look(page, "version notice");
  await closeVersionNotice(page);
  const lately = page.getByRole("region", { name: "最近的远程操作" });
  await lately.getByRole("listitem").first().waitFor();
  await look(page, "home");
  await page.getByRole("button", { name: /^消息中心/ }).click();
  const notifications = page.getByRole("dialog", { name: "消息中心" });
  await notifications.getByRole("listitem").first().waitFor();
  await look(page, "消息中心");
  await page.keyboard.press("Escape");
  await notifications.waitFor({ state: "hidden" });

  await go(page, "/cupboard/index?lifecycle=ACTIVE");
  await untilLoaded(page, "设备列表");
  const detail = page.getByRole("dialog");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  for (const part of ["运行状态", "基本信息", "参数", "最近操作"]) {
    await detail.getByRole("heading", { name: part }).waitFor();
  }
  await look(page, "设备列表, 详情");
  await page.keyboard.press("Escape");
  await detail.waitFor({ state: "hidden" });

  await go(page, "/cupboardRun/rider/order?state=COMPLETED&payStatus=PAID");
  await untilLoaded(page, "订单列表");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  await detail.getByRole("button", { name: /^展开全部/ }).click();
  await detail.getByText("创建订单").waitFor();
  await look(page, "订单, 详情");
  await detail.getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: /^退款：/ });
  await refund.getByRole("button", { name: "退款" }).click();
  await refund.getByText("原因不能为空").waitFor();
  await look(page, "退款, 有误");

  await page.setViewportSize({ width: 390, height: 844 });
  await go(page, "/cupboardRun/index?view=sizes");
  await page.getByRole("region", { name: "各时段满柜时长" }).waitFor();
  await look(page, "格口配比, 手机");
  expect(complaints).toEqual([]);
  await context.close();
});

test("platform staff: layout editor with errors, 进入租户 with errors, home under the banner", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0), "/cupboard/ModelList");
  await page.getByText("双面柜 36 格", { exact: true }).click();
  await page.getByRole("dialog").getByRole("gridcell").first().waitFor();
  await look(page, "设备型号, 详情");
  await page.keyboard.press("Escape");
  const row = page.getByRole("row").filter({ hasText: "单面柜 36 格" });
  await row.getByRole("link", { name: "编辑" }).click();
  await page.getByRole("gridcell").getByRole("button").nth(1).click();
  await page.getByLabel("驱动板地址", { exact: true }).fill("01-01");
  await page.getByText("有 2 处需要修正").waitFor();
  await look(page, "布局, 有误");

  await page.goto("/dashboard");
  await page.getByRole("button", { name: "进入租户" }).click();
  const dialog = page.getByRole("dialog", { name: "进入租户" });
  await dialog.getByRole("button", { name: "进入查看" }).click();
  await dialog.getByText("原因不能为空").waitFor();
  await look(page, "进入租户, 有误");
  await dialog.getByRole("combobox", { name: "租户" }).click();
  await page.locator(".ant-select-item-option").first().click();
  await dialog.getByLabel("原因").fill("核对租户的设置");
  await dialog.getByRole("button", { name: "进入查看" }).click();
  await page.getByRole("region", { name: "只读查看" }).waitFor();
  await page.getByRole("link", { name: /^设备总数/ }).waitFor();
  await look(page, "首页, 只读查看");
  expect(complaints).toEqual([]);
  await context.close();
});
