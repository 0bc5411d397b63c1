// Component tests of parts that load late: without a network they say so in their own place, and the page stays.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const question = (page: Page) => page.getByRole("dialog", { name: "网络已断开", exact: true });

for (const state of ["block", "line"]) {
  test(`late part (${state}): without a network it says so in its place, and loads when that is back`, async () => {
    const { context, page } = await catalogue.open(`late/${state}`);
    await context.setOffline(true);
    await button(page, "打开").click();
    const drawer = page.getByRole("dialog", { name: "样品详情" });
    const failure = drawer.getByRole("alert");
    await failure.getByText("网络已断开", { exact: true }).waitFor();
    await failure.getByRole("button", { name: "重试" }).click();
    await failure.getByText("网络已断开", { exact: true }).waitFor();
    await context.setOffline(false);
    const content = drawer.getByText("迟到的内容");
    await content.waitFor();
    // Its style sheet, too, was requested again.
    const weight = `getComputedStyle(document.querySelector(".late-sample")).fontWeight`;
    expect(await page.evaluate(weight)).toBe("600");
    await context.close();
  });
}

test("late part with a network: 加载失败 and 重试", async () => {
  const { context, page } = await catalogue.open("late/block");
  await page.route(/late-sample/, (route) => route.abort());
  await button(page, "打开").click();
  const failure = page.getByRole("alert");
  await failure.getByText("加载失败", { exact: true }).waitFor();
  await page.unroute(/late-sample/);
  await failure.getByRole("button", { name: "重试" }).click();
  await page.getByText("迟到的内容").waitFor();
  await context.close();
});

// Chromium 150 never requests a module again whose first request failed.
test("late part that fails again with a network: 刷新页面 loads the page anew", async () => {
  const { context, page } = await catalogue.open("late/block");
  await page.route(/late-sample/, (route) => route.abort());
  await button(page, "打开").click();
  await button(page, "重试").click();
  const loaded = page.waitForEvent("load");
  await button(page, "刷新页面").click();
  await loaded;
  await page.unroute(/late-sample/);
  await button(page, "打开").click();
  await page.getByText("迟到的内容").waitFor();
  await context.close();
});

test("late part that is loaded ahead: opens without a network", async () => {
  const { context, page } = await catalogue.open("late/ahead");
  await expect
    .poll(() =>
      page.evaluate(
        `performance.getEntriesByType("resource").some(({ name }) => name.includes("ahead-sample"))`,
      ),
    )
    .toBe(true);
  await context.setOffline(true);
  await button(page, "打开").click();
  await page.getByText("提前加载的内容").waitFor();
  await context.close();
});

test("late dialogs of the shell: a question in their place without a network; the shell stays", async () => {
  const { context, page } = await catalogue.open("late/shell");
  await context.setOffline(true);
  await page.keyboard.press("Control+k");
  await question(page).getByRole("button", { name: "重试" }).click();
  await question(page).getByRole("button", { name: "关闭", exact: true }).last().click();
  await question(page).waitFor({ state: "hidden" });

  await button(page, "进入租户").click();
  await question(page).getByRole("button", { name: "关闭", exact: true }).last().click();

  await button(page, "消息中心").click();
  await question(page).waitFor();
  await context.setOffline(false);
  await page.getByRole("dialog", { name: "消息中心" }).waitFor();
  await question(page).waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByLabel("搜索手机号、订单号、设备、门店、账号或页面").waitFor();
  await context.close();
});
