// 短信余额: the platform credits a tenant and reverses a mistake; the tenant sees both.
import { beforeAll, expect, test } from "vitest";
import { storeSession, type Visit } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
let platform: Visit;
let tenant: Visit;
beforeAll(async () => {
  platform = await demo.visit();
  await storeSession(platform.page, demo.server.account(1, 0));
  tenant = await demo.visit();
  await storeSession(tenant.page, demo.server.account(2, 1));
});

const segmentsOf = (text: string) => Number(text.replace(/[^\d-]/g, ""));

test("SMS credit: credited, reversed, both shown to the tenant", async () => {
  const { page } = platform;
  await page.goto("/register/viewSms?tenantId=2");
  const account = page.getByRole("region", { name: "短信余额" });
  const left = account.locator("dd").first();
  await account.locator("dt", { hasText: "可用条数" }).waitFor();
  await account.getByText(/最近 \d{4}/).waitFor();
  const before = segmentsOf((await left.textContent()) ?? "");

  await account.getByRole("button", { name: "充值" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("充值条数").fill("2500");
  await dialog.getByLabel("充值金额").fill("112.345");
  await dialog.getByLabel("说明").fill("合同 2026-11");
  await dialog.getByRole("button", { name: "确认充值" }).click();
  await dialog.getByText("最多两位小数").waitFor();
  await dialog.getByLabel("充值金额").fill("112.5");
  await dialog.getByText("单价 0.0450 元/条").waitFor();
  await dialog.getByRole("button", { name: "确认充值" }).click();
  await page.getByText("充值，可用").waitFor();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(async () => segmentsOf((await left.textContent()) ?? "")).toBe(before + 2_500);
  const newest = page.getByRole("table", { name: "充值明细" }).getByRole("row").nth(1);
  await newest.getByText("+2,500").waitFor();
  await expect.poll(() => newest.textContent()).toContain("¥112.50");

  await newest.getByRole("button", { name: "撤回" }).click();
  await dialog.getByText("扣回 2,500").waitFor();
  await dialog.getByRole("button", { name: "充错租户" }).click();
  await dialog.getByRole("button", { name: "撤回", exact: true }).click();
  await page.getByText("充值已撤回").waitFor();
  await expect.poll(async () => segmentsOf((await left.textContent()) ?? "")).toBe(before);
  await newest.getByText("-2,500").waitFor();

  await tenant.page.goto("/smsManage/index?kind=REVERSAL");
  const rows = tenant.page.getByRole("table", { name: "充值明细" }).getByRole("row");
  await rows.nth(1).getByText("充错租户").waitFor();
  expect(await tenant.page.getByRole("button", { name: "充值", exact: true }).count()).toBe(0);
  expect(await tenant.page.getByRole("button", { name: "撤回" }).count()).toBe(0);
  await rows.nth(1).getByRole("button").first().click();
  await tenant.page.getByRole("dialog").getByText("撤回的充值").waitFor();

  await tenant.page.goto("/smsManage/send");
  await tenant.page.getByRole("link", { name: /条$/ }).click();
  await tenant.page.waitForURL("**/smsManage/index**");
});
