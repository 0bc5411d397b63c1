// All screens of the web page: axe in both schemes, both languages, large text, narrow and wide windows, its weight.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { findViolations } from "./support/axe.ts";
import { phoneOf, signInByMessage, takeCabinet } from "./support/pickup.ts";
import { useDemo } from "./support/test-server.ts";

const demo = useDemo();
const PHONE = { width: 390, height: 844 };

/** Loaded, without a skeleton. */
async function show(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
}

const overflow = (page: Page) =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");

test("all screens: no violation, no sideways scrolling, in Chinese, English and with large text", async () => {
  const cabinet = await takeCabinet(demo);
  const { page, complaints } = await demo.visit(PHONE);
  const ofEverybody = [
    "/m/",
    `/m/c/${cabinet.sn}`,
    `/m/c/${cabinet.sn}/pickup`,
    "/m/sign-in",
    "/m/me",
  ];
  const ofPeople = [
    ...[`/m/c/${cabinet.sn}/store`, "/m/parcels", "/m/wallet", "/m/cards"],
    ...["/m/notices", "/m/help", "/m/report", "/m/nowhere"],
  ];
  for (const address of ofEverybody) {
    await show(page, address);
    expect([address, await findViolations(page)]).toEqual([address, []]);
  }
  await show(page, `/m/c/${cabinet.sn}`);
  await page.getByRole("link", { name: /^存件 / }).click();
  await signInByMessage(page, cabinet, phoneOf("176"));
  for (const address of ofPeople) {
    await show(page, address);
    expect([address, await findViolations(page)]).toEqual([address, []]);
  }
  await page.getByRole("button", { name: "English" }).click();
  for (const address of [...ofEverybody, ...ofPeople]) {
    await show(page, address);
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    expect([address, await overflow(page)]).toEqual([address, 0]);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect([address, "large", await overflow(page)]).toEqual([address, "large", 0]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await show(page, `/m/c/${cabinet.sn}`);
  expect(await findViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("entry by number: the typed number of the cabinet leads to it", async () => {
  const cabinet = await takeCabinet(demo);
  const { page } = await demo.visit(PHONE);
  await show(page, "/m/");
  await page.getByLabel("柜机编号").fill("1");
  await page.keyboard.press("Enter");
  await page.getByText("请核对柜机上的编号").waitFor();
  await page
    .getByLabel("柜机编号")
    .fill(`${cabinet.sn.slice(0, 4)} ${cabinet.sn.slice(4).toLowerCase()}`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: cabinet.name }).waitFor();
  await show(page, "/m/c/NOBODY0001");
  await page.getByText("没有找到这台柜机").waitFor();
});

test("weight: all scripts and styles take at most 60 kB compressed", async () => {
  const folder = path.join(import.meta.dirname, "../apps/pickup/dist");
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(js|css|html)$/.test(name),
  );
  const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  const bytes = contents.reduce((sum, content) => sum + brotliCompressSync(content).length, 0);
  expect(names.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThan(60_000);
});
