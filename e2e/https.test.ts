// Console over HTTPS and HTTP/2 of the server itself, without a proxy.
import { LIVE_PATH } from "@cabinet/contract/live/live.rules.ts";
import { expect, test } from "vitest";
import { signInByHand } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const demo = useDemo({ isSecure: true });

const PROTOCOLS = `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(({ transferSize }) => transferSize > 0)
  .map(({ nextHopProtocol }) => nextHopProtocol)`;

test("console over HTTPS: every file and call by HTTP/2, live channel open, cabinets online", async () => {
  const { context, page, complaints } = await demo.visit();
  const live = page.waitForResponse((response) => response.url().endsWith(LIVE_PATH));
  await signInByHand(page, demo.server.account(2, 0));
  expect((await live).status()).toBe(200);
  await page.locator('.dashboard a[href="/cupboard/index"]').first().click();
  const table = page.getByRole("table", { name: "设备列表", exact: true });
  await table.getByText("在线", { exact: true }).first().waitFor();
  const protocols = await page.evaluate<string[]>(PROTOCOLS);
  expect(protocols.length).toBeGreaterThan(20);
  expect(new Set(protocols)).toEqual(new Set(["h2"]));
  expect(complaints).toEqual([]);
  await context.close();
});
