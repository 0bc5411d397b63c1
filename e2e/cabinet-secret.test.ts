// 设备接口密钥 and 设备服务: rotation and revocation cut the connection; a stopped cabinet still opens.
import { readFile } from "node:fs/promises";
import { parseSimulatedCabinets } from "@cabinet/link";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { chooseItem, signIn, storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();

const rowNamed = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("button", { name, exact: true }) });

/** Finds the name and number of the nth online, active cabinet. */
async function findOnline(page: Page, nth: number): Promise<{ name: string; sn: string }> {
  await page.goto("/cupboard/index?connectivity=ONLINE&lifecycle=ACTIVE&sort=sn&order=desc");
  const rows = page.getByRole("row").filter({ has: page.getByRole("link", { name: "格口管理" }) });
  await expect.poll(() => rows.count()).toBeGreaterThan(nth);
  const cells = rows.nth(nth).getByRole("cell");
  const texts = await cells.allTextContents();
  const sn = texts.find((text) => /^ZC26[A-Z0-9]+$/.test(text.trim()))?.trim() ?? "";
  return { name: (texts[1] ?? "").trim(), sn };
}

async function chooseMore(page: Page, row: Locator, name: string, item: string | RegExp) {
  await row.getByRole("button", { name: `更多操作：${name}` }).click();
  await chooseItem(page, item);
}

test("key rotation: the new key is shown once; revoking the old one cuts the connection", async () => {
  const { context, page, complaints } = await demo.visit();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await storeSession(page, demo.server.account(2, 1));
  const { name, sn } = await findOnline(page, 0);

  await page.goto(`/set/secretKey/cupboardKey?${new URLSearchParams({ keyword: sn })}`);
  const row = rowNamed(page, name);
  await row.getByText("使用中", { exact: true }).waitFor();
  await row.getByRole("button", { name: "轮换" }).click();
  const rotation = page.getByRole("dialog", { name: "轮换密钥" });
  await rotation.getByRole("button", { name: "7 天" }).click();
  await rotation.getByRole("button", { name: "轮换" }).click();

  const shown = page.getByRole("dialog", { name: "新密钥（只显示这一次）" });
  const codes = shown.locator("code");
  const kid = (await codes.nth(0).textContent()) ?? "";
  const secret = (await codes.nth(1).textContent()) ?? "";
  expect(kid).toMatch(/^k\d{6}-/);
  await shown.getByRole("button", { name: "复制密钥" }).click();
  await page.getByText("密钥已复制").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
  const saved = page.waitForEvent("download");
  await shown.getByRole("button", { name: "下载凭据文件" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe(`${sn}-${kid}.json`);
  const file = parseSimulatedCabinets(JSON.parse(await readFile(await download.path(), "utf8")));
  expect(file).toMatchObject({
    ok: true,
    value: {
      server: demo.server.origin,
      mqtt: `mqtt://127.0.0.1:${demo.server.mqttPort}`,
      cabinets: [{ cabinetId: sn, kid, secret }],
    },
  });

  // Escape must not close the dialog before the key is saved.
  await page.keyboard.press("Escape");
  await expect.poll(() => shown.isVisible()).toBe(true);
  const done = shown.getByRole("button", { name: "完成" });
  await expect.poll(() => done.isDisabled()).toBe(true);
  await shown.getByRole("checkbox", { name: "我已保存密钥" }).check();
  await done.click();
  await shown.waitFor({ state: "hidden" });
  expect(await page.content()).not.toContain(secret);
  await row.getByText("轮换中", { exact: true }).waitFor();
  await expect.poll(() => row.getByRole("button", { name: "轮换" }).isDisabled()).toBe(true);

  // The cabinet is still connected with the old key.
  await row.getByText("在线", { exact: true }).waitFor();
  await chooseMore(page, row, name, "吊销 demo");
  const revoking = page.getByRole("dialog", { name: "吊销密钥" });
  await revoking.getByText("设备正在使用该密钥连接，将立即断开").waitFor();
  const confirm = revoking.getByRole("button", { name: "吊销", exact: true });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await revoking.getByRole("button", { name: "密钥疑似泄露" }).click();
  await confirm.click();
  await page.getByText("密钥 demo 已吊销").waitFor();
  await row.getByText("离线", { exact: true }).waitFor();

  await page.goto(`/cupboard/index?${new URLSearchParams({ keyword: sn })}`);
  await rowNamed(page, name).getByText("离线", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("IP allow-list: invalid networks are explained and the input is kept", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(3, 0), "/set/secretKey/cupboardKey?state=NONE");
  const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: "生成" }) });
  await row.first().getByRole("button", { name: "IP 白名单" }).click();
  const dialog = page.getByRole("dialog", { name: "IP 白名单" });
  const field = dialog.getByRole("textbox");
  await field.fill("10.1.2.0/24\n300.1.1.1");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("“300.1.1.1”不是有效的 IP 或网段").waitFor();
  await field.fill("10.1.2.3/24");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("网段的主机位应为 0").waitFor();
  await expect.poll(() => field.inputValue()).toBe("10.1.2.3/24");
  await field.fill("10.1.2.0/24\n203.0.113.9");
  await dialog.getByRole("button", { name: "保存" }).click();
  await page.getByText("已保存 2 条").waitFor();
  await row.first().getByText("2 条", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("stopped service: no new orders, the reason shown to the tenant, doors still open; then renewed", async () => {
  const platform = await demo.visit();
  const tenant = await demo.visit();
  await storeSession(tenant.page, demo.server.account(2, 0));
  const { name, sn } = await findOnline(tenant.page, 1);

  const { page } = platform;
  await signIn(
    page,
    demo.server.account(1, 0),
    `/register/cabinetService?${new URLSearchParams({ keyword: sn })}`,
  );
  const row = rowNamed(page, name);
  await row.getByRole("button", { name: "停止" }).click();
  const stopping = page.getByRole("dialog", { name: "停止服务" });
  await stopping.getByText("将立即停止接收新的存件").waitFor();
  await stopping.getByRole("button", { name: "租户欠费" }).click();
  await stopping.getByRole("button", { name: "停止服务", exact: true }).click();
  await row.getByText("已停止", { exact: true }).waitFor();

  await tenant.page.goto(`/cupboard/index?${new URLSearchParams({ keyword: sn })}`);
  await tenant.page.getByRole("button", { name: /^消息中心/ }).click();
  const notices = tenant.page.getByRole("dialog", { name: "消息中心" });
  await notices.getByRole("listitem").filter({ hasText: "设备服务已停止" }).waitFor();
  await tenant.page.keyboard.press("Escape");
  await notices.waitFor({ state: "hidden" });
  await rowNamed(tenant.page, name).getByRole("link", { name: "格口管理" }).click();
  await tenant.page.getByText("不接新单：服务已停止").waitFor();
  const doors = tenant.page.getByRole("button", { name: /不可用：设备不接新单/ });
  await expect.poll(() => doors.count()).toBeGreaterThan(0);
  await doors.first().click();
  await tenant.page.getByText("不可用：不接新单，服务已停止").waitFor();
  await tenant.page.getByRole("button", { name: "远程开门", exact: true }).first().click();
  const opening = tenant.page.getByRole("dialog");
  await opening.getByRole("textbox").fill("停机后取出物品");
  await opening.getByRole("button", { name: /开门/ }).last().click();
  await opening.getByText("已开门").first().waitFor();

  const before = await row.getByRole("cell").allTextContents();
  await row.getByRole("button", { name: "续期" }).click();
  const renewing = page.getByRole("dialog", { name: "续期" });
  await renewing.getByText("已停止，续期后仍需恢复服务").waitFor();
  await renewing.getByRole("button", { name: "2 年" }).click();
  const promised = (await renewing.locator("td b").textContent()) ?? "";
  await renewing.getByRole("textbox").fill("合同续签");
  await renewing.getByRole("button", { name: "续期", exact: true }).click();
  await page.getByText("已更新 1 台设备的服务期").waitFor();
  await row.getByText(promised, { exact: true }).waitFor();
  expect(before).not.toContain(promised);
  await row.getByRole("button", { name: "恢复" }).click();
  const resuming = page.getByRole("dialog", { name: "恢复服务" });
  await resuming.getByRole("textbox").fill("已付清费用");
  await resuming.getByRole("button", { name: "恢复服务", exact: true }).click();
  await row.getByText("服务中", { exact: true }).waitFor();

  await chooseMore(page, row, name, "操作记录");
  await page.waitForURL((url) => url.pathname === "/register/record");
  const lines = page.getByRole("row").filter({ hasText: name });
  await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(3);
  const records = await lines.allTextContents();
  expect(records[0]).toContain("恢复服务");
  expect(records[1]).toContain(promised);
  expect(records[2]).toContain("租户欠费");
  expect([...platform.complaints, ...tenant.complaints]).toEqual([]);
  await Promise.all([platform.context.close(), tenant.context.close()]);
});
