// Printed lists and details: without the shell, with all columns, filters, page and time.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signIn, untilLoaded } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

/** A4 without its margins, in CSS pixels. */
const LANDSCAPE = { width: 1047, height: 703 };
const PORTRAIT = { width: 718, height: 1032 };

async function asPrinted(page: Page, sheet: typeof LANDSCAPE): Promise<void> {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize(sheet);
  await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
}

/** Texts of visible elements that reach over the edge of the sheet or are cut in their place. */
const cutOnPaper = (page: Page, selector: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll("${selector}")]
    .filter((part) => part.clientWidth > 0)
    .filter((part) =>
      part.getBoundingClientRect().right > document.documentElement.clientWidth + 1 ||
      (getComputedStyle(part).overflow !== "visible" && part.scrollWidth > part.clientWidth))
    .map((part) => part.textContent)`);

const SHELL =
  ".sidebar, .navbar, .ui-filters, .ui-pagination, .ui-menu-bar button, .ui-table-actions";

test.for(["light", "dark"] as const)(
  "a list in %s: no shell, all columns, what it lists",
  async (colorScheme) => {
    const { context, page } = await demo.visit();
    await page.emulateMedia({ colorScheme });
    const path = "/cupboardRun/rider/order?state=COMPLETED&page=2";
    await signIn(page, demo.server.account(1, 0), path);
    await page.getByRole("row").nth(10).waitFor();
    await untilLoaded(page, path);
    const names = page.locator("thead th:not(.ui-table-check, .ui-table-actions):visible");
    const columns = await names.allTextContents();
    expect(columns.length).toBeGreaterThan(15);
    await asPrinted(page, LANDSCAPE);
    await page.getByText(/^状态：已完成第 2 页，共 .*打印时间：\d{4}-/).waitFor();
    expect(await page.locator(SHELL).filter({ visible: true }).count()).toBe(0);
    expect(await names.allTextContents()).toEqual(columns);
    expect(await cutOnPaper(page, ".ui-table :is(th, td, td *)")).toEqual([]);
    const ink = await page.evaluate("getComputedStyle(document.querySelector('td')).color");
    expect(ink).toBe("rgb(27, 31, 46)");
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf).toMatch(/\/MediaBox \[0 0 84[12][\d.]* 59[45][\d.]*\]/);
    await context.close();
  },
);

test("an open detail: alone on its paper, with its title and the time", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboardRun/rider/order?state=COMPLETED");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("heading", { name: "处理记录" }).waitFor();
  await asPrinted(page, PORTRAIT);
  await drawer.getByText(/^打印时间：/).waitFor();
  expect(await page.locator(".layout").isVisible()).toBe(false);
  expect(await drawer.locator(".ant-drawer-title").textContent()).toMatch(/订单 \d{15}$/);
  expect(await cutOnPaper(page, ".ui-drawer-content *")).toEqual([]);
  const [height, window] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollHeight, innerHeight]",
  );
  // All of it lies in the flow of the page, which goes on on the next sheet.
  expect(height).toBeGreaterThan(window);
  await context.close();
});
