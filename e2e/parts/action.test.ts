// Component tests of actions, confirmations and toasts: keyboard, focus, double press, failures.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const focused = (page: Page) => page.evaluate("document.activeElement.textContent");
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "删除样品" });

test("action: opens by keyboard on its confirm button, Escape returns the focus", async () => {
  const { context, page } = await catalogue.open("action/idle");
  await button(page, "删除").press("Enter");
  await dialogOf(page).getByText("样品 01 将被删除，不能恢复。").waitFor();
  await expect.poll(() => focused(page)).toBe("确认删除");
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  await expect.poll(() => focused(page)).toBe("删除");
  await page.keyboard.press("Enter");
  await dialogOf(page).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("样品 01 已删除").waitFor();
  await dialogOf(page).waitFor({ state: "hidden" });
  await context.close();
});

test("action: a reason is required, a preset one counts", async () => {
  const { context, page } = await catalogue.open("action/reason");
  const confirm = button(page, "确认删除");
  expect(await confirm.isDisabled()).toBe(true);
  const reason = page.getByLabel(/^原因/);
  await expect.poll(() => reason.evaluate((area) => area.matches(":focus"))).toBe(true);
  await page.keyboard.type("旧");
  expect(await confirm.isDisabled()).toBe(true);
  await page.keyboard.type("了");
  expect(await confirm.isEnabled()).toBe(true);
  await button(page, "例行检修").click();
  expect(await reason.inputValue()).toBe("例行检修");
  await confirm.click();
  await page.getByText("样品 01 已删除").waitFor();
  await context.close();
});

test("action: on a slow machine its reason gets the letters typed while the dialog opens", async () => {
  const { context, page } = await catalogue.open("action/sends");
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await button(page, "删除").press("Enter");
  const reason = dialogOf(page).getByRole("textbox");
  await reason.waitFor();
  await page.keyboard.type("repair of the lock");
  await expect.poll(() => reason.inputValue()).toBe("repair of the lock");
  await context.close();
});

test("action: while it runs nothing closes its dialog", async () => {
  const { context, page } = await catalogue.open("action/busy");
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  expect(await button(page, "取消").isDisabled()).toBe(true);
  expect(await dialogOf(page).getByRole("button", { name: "关闭" }).count()).toBe(0);
  expect(await dialogOf(page).isVisible()).toBe(true);
  await context.close();
});

test("action: a failure stays in the dialog, and the action can be repeated", async () => {
  const { context, page, complaints } = await catalogue.open("action/failed");
  const failure = dialogOf(page).getByRole("alert");
  await failure.getByText("样品 01 还有未完成的订单，不能删除").waitFor();
  await button(page, "确认删除").click();
  await failure.getByText("样品 01 还有未完成的订单，不能删除").waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);
  await context.close();
});

test("action: the outcome stays until it is closed by its focused button", async () => {
  const { context, page } = await catalogue.open("action/outcome");
  await dialogOf(page).getByText("已删除 1 个样品").waitFor();
  await expect.poll(() => focused(page)).toBe("关闭");
  await page.keyboard.press("Enter");
  await dialogOf(page).waitFor({ state: "hidden" });
  await expect.poll(() => focused(page)).toBe("删除");
  await context.close();
});

test("action: a blocked one says why and cannot be confirmed", async () => {
  const { context, page } = await catalogue.open("action/blocked");
  await dialogOf(page).getByText("样品 01 正在使用，不能删除。").waitFor();
  expect(await button(page, "确认删除").isDisabled()).toBe(true);
  await context.close();
});

test("confirmation: opens on its confirm button; Escape means no, Enter means yes", async () => {
  const { context, page } = await catalogue.open("confirmation/closed");
  const question = page.getByRole("dialog", { name: "放弃未保存的内容？" });
  await button(page, "离开").press("Enter");
  await question.waitFor();
  expect(await focused(page)).toBe("放弃");
  await page.keyboard.press("Escape");
  await page.getByText("继续填写").waitFor();
  await expect.poll(() => focused(page)).toBe("离开");
  await page.keyboard.press("Enter");
  await question.waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("已放弃").waitFor();
  await context.close();
});

test("undo: 撤销 takes the action back, by keyboard; a failure is shown", async () => {
  const { context, page, complaints } = await catalogue.open("action/undo");
  const toast = page.locator(".toast");
  await toast.getByText("样品 01 已删除").waitFor();
  // The focus keeps the toast longer than its time.
  await button(page, "撤销").focus();
  await page.waitForTimeout(9_000);
  await button(page, "撤销").press("Enter");
  await toast.getByText("已撤销").waitFor();
  expect(await button(page, "撤销").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();

  const failed = await catalogue.open("action/undo-fails");
  await button(failed.page, "撤销").click();
  await failed.page.locator(".toast").getByText("样品 01 还有未完成的订单").waitFor();
  expect(await failed.page.getByText("已撤销").count()).toBe(0);
  await failed.context.close();
});

test("toasts: a repeated text is one toast, and each can be closed", async () => {
  const { context, page } = await catalogue.open("toasts/all");
  const toasts = page.locator(".toast");
  await expect.poll(() => toasts.count()).toBe(4);
  // A toast under the pointer stays.
  await toasts.last().hover();
  await button(page, "error").press("Enter");
  expect(await toasts.filter({ hasText: "error" }).count()).toBe(1);
  await toasts.filter({ hasText: "error" }).getByRole("button", { name: "关闭提示" }).click();
  await expect.poll(() => toasts.filter({ hasText: "error" }).count()).toBe(0);
  await context.close();
});
