// 远程开门: a cabinet on the real protocol, the confirmed result, refusal when it is offline.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { signIn, storeSession } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const demo = useDemo();
const online = { query: { connectivity: "ONLINE" } };
/** Below the shortest offline limit of a model (60 s). */
const SOON = { timeout: 15_000 };

async function openDialog(page: Page): Promise<void> {
  await page.getByRole("gridcell").getByRole("button", { name: "门已关" }).first().click();
  await page.getByRole("button", { name: "远程开门" }).click();
}

test("online cabinet: the door opens, each state is shown, and the log has the reason", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  await expect
    .poll(async () => (await callApiAs(page, cabinetContract.list, online)).data.total)
    .toBeGreaterThan(5);
  await page.goto("/cupboard/index?connectivity=ONLINE&lifecycle=ACTIVE&side=SINGLE");
  await page.getByRole("link", { name: "格口管理" }).first().click();
  await page.waitForURL("**/cupboard/blockManage?id=*");
  await openDialog(page);
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "开门", exact: true });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("用户来电，忘记取件码");
  await confirm.click();
  await dialog.getByText("已开门", { exact: true }).waitFor();
  for (const stage of ["已下发", "已执行"]) await dialog.getByText(stage).first().waitFor();

  const id = new URL(page.url()).searchParams.get("id") ?? "";
  await page.goto(`/cupboard/record?cabinetId=${id}`);
  const row = page.getByRole("row").filter({ hasText: "用户来电，忘记取件码" });
  await row.getByText("已开门").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("operator of another tenant: the cabinet does not exist", async () => {
  const owner = await demo.visit();
  await storeSession(owner.page, demo.server.account(2, 1));
  const { list } = (await callApiAs(owner.page, cabinetContract.list, online)).data;
  const foreign = await demo.visit();
  await signIn(foreign.page, demo.server.account(3, 1), `/cupboard/blockManage?id=${list[0]?.id}`);
  await foreign.page.getByText("设备不存在").first().waitFor();
  expect(await foreign.page.getByRole("button", { name: "远程开门" }).count()).toBe(0);
  await Promise.all([owner.context.close(), foreign.context.close()]);
});

test("D2 killed simulator: the next opening is refused at once, the input stays, nothing is queued", async () => {
  const { context, page } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  const query = { ...online.query, lifecycle: "ACTIVE" };
  const { list } = (await callApiAs(page, cabinetContract.list, { query })).data;
  const cabinet = list[0];
  if (!cabinet) throw new Error("no cabinet is online");
  await page.goto(`/cupboard/blockManage?id=${cabinet.id}`);
  await openDialog(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("例行检查");
  const log = { query: { cabinetId: cabinet.id } };
  const before = (await callApiAs(page, commandContract.list, log)).data.total;

  const pid = Number(
    await readFile(path.join(demo.server.dataDir, "simulator/simulator.pid"), "utf8"),
  );
  // Block the refetch of the cabinet: the page would disable 开门 for an offline one.
  const facts = urlPath(cabinetContract.get).replace("{id}", String(cabinet.id));
  await page.route(
    (url) => url.pathname === facts,
    (route) => route.abort(),
  );
  process.kill(pid, "SIGKILL");
  // The gateway learns it from the closed connections, far sooner than a heartbeat is missed.
  await expect
    .poll(async () => (await callApiAs(page, cabinetContract.list, online)).data.total, SOON)
    .toBe(0);
  await dialog.getByRole("button", { name: "开门", exact: true }).click();
  await dialog.getByText("设备不在线，指令未发送").waitFor();
  await expect.poll(() => dialog.getByRole("textbox").inputValue()).toBe("例行检查");
  expect((await callApiAs(page, commandContract.list, log)).data.total).toBe(before);
  await context.close();
});

test("操作日志: what staff have opened stands apart from users at their own doors", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboard/record");
  await page.waitForURL(/actorKind=OPERATOR/);
  const table = page.getByRole("table", { name: "操作日志" });
  const acts = async () =>
    (await table.locator("tbody tr td:nth-child(2)").allTextContents()).map((text) =>
      text.replace(/ .*/, ""),
    );
  await table.getByRole("row").nth(1).waitFor();
  // The last acts of the demo's staff depend on the hour; none of them is a user's.
  const ofStaff = await acts();
  expect(ofStaff).toContain("远程开门");
  expect(ofStaff.filter((act) => !["远程开门", "重启设备"].includes(act))).toEqual([]);
  await page
    .getByRole("group", { name: "操作人类型" })
    .getByRole("button", { name: "用户" })
    .click();
  await expect.poll(async () => (await acts())[0]).toMatch(/^(存件|取件|取回)开门$/);
  await page.getByLabel("操作", { exact: true }).click();
  await page.getByRole("option", { name: "存件开门" }).click();
  await page.getByRole("button", { name: "查询" }).click();
  await expect.poll(async () => [...new Set(await acts())]).toEqual(["存件开门"]);
  await table.locator("tbody tr").first().getByRole("link").last().click();
  await page.waitForURL(/rider\/order.*open=\d+/);
  await context.close();
});
