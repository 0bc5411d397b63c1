// Component tests of the light select: keyboard, search, pointer, phone.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { PHONE, useCatalogue } from "../support/catalogue.ts";

const catalogue = useCatalogue();

const choice = (page: Page) => page.getByRole("combobox", { name: "选项" });
const option = (page: Page, name: string) => page.getByRole("option", { name, exact: true });
/** Option that the keys are at. */
const active = async (page: Page) => {
  const id = await choice(page).getAttribute("aria-activedescendant");
  return id && page.locator(`[id="${id}"]`).textContent();
};

test("select: by keyboard opens, moves, jumps, chooses, closes and clears; submits nothing", async () => {
  const { context, page, complaints } = await catalogue.open("light-select/chosen");
  const box = choice(page);
  await box.focus();
  await page.keyboard.press("Enter");
  await option(page, "20 条").waitFor();
  expect(await box.getAttribute("aria-expanded")).toBe("true");
  expect(await active(page)).toBe("20 条");
  expect(await option(page, "20 条").getAttribute("aria-selected")).toBe("true");
  for (const [key, name] of [
    ["ArrowDown", "30 条"],
    ["End", "50 条"],
    ["ArrowDown", "10 条"],
    ["ArrowUp", "50 条"],
    ["3", "30 条"],
  ] as const) {
    await page.keyboard.press(key);
    expect(await active(page)).toBe(name);
  }
  await page.keyboard.press("Escape");
  await option(page, "20 条").waitFor({ state: "hidden" });
  expect(await box.inputValue()).toBe("20 条");
  expect(await box.evaluate((input) => input.matches(":focus"))).toBe(true);
  await page.keyboard.press("5");
  await page.getByText("值：50").waitFor();
  await page.keyboard.press(" ");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.getByText("值：10").waitFor();
  expect(await box.getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("Delete");
  await page.getByText("值：无").waitFor();
  expect(await page.getByText("已提交").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("select: a long list is searched by typing, without a match it says so; leaving drops the search", async () => {
  const { context, page } = await catalogue.open("light-select/searched");
  const box = choice(page);
  await box.fill("东湖门店 20");
  await expect.poll(() => page.getByRole("option").count()).toBe(5);
  expect(await active(page)).toBe("东湖门店 200");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("值：202").waitFor();
  expect(await box.inputValue()).toBe("东湖门店 202");
  await box.fill("南");
  await page.getByText("没有匹配的项").waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => box.inputValue()).toBe("东湖门店 202");

  // The end of the list is there for keys, though it is not mounted at first.
  await box.press("ArrowDown");
  expect(await active(page)).toBe("东湖门店 202");
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press("PageDown");
  expect(await active(page)).toBe("东湖门店 250");
  expect(await option(page, "东湖门店 250").isVisible()).toBe(true);
  await context.close();
});

test("select: by pointer chooses and clears; on a phone its options fit the window", async () => {
  const { context, page } = await catalogue.open("light-select/chosen", PHONE);
  await choice(page).click();
  const list = page.getByRole("listbox");
  const box = await list.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? PHONE.width)).toBeLessThanOrEqual(PHONE.width);
  await option(page, "30 条").click();
  await page.getByText("值：30").waitFor();
  expect(await list.count()).toBe(0);
  await choice(page).hover();
  await page.getByRole("button", { name: "清除" }).click();
  await page.getByText("值：无").waitFor();
  await choice(page).click();
  await list.waitFor();
  await choice(page).click();
  await list.waitFor({ state: "detached" });
  await context.close();
});

test("input method: the Enter that takes its words reaches no shortcut, in Safari after their end", async () => {
  const { context, page } = await catalogue.open("light-select/searched");
  await option(page, "西溪门店 001").waitFor();
  await choice(page).focus();
  for (const init of ['key: "Enter", isComposing: true', 'key: "Enter", keyCode: 229']) {
    await page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { ${init}, bubbles: true }))`,
    );
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))");
    expect(await choice(page).getAttribute("aria-expanded"), init).toBe("true");
  }
  await choice(page).press("Enter");
  await expect.poll(() => choice(page).getAttribute("aria-expanded")).toBe("false");
  await context.close();
});
