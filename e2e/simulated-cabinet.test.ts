// 模拟柜机 on a second screen: doors open on command and close by hand, and differences are shown.
import { simulatedCabinetContract } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { findViolations } from "./support/axe.ts";
import { storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();

/** A cabinet of tenant 2 that takes orders, once its simulator has connected. */
async function onlineCabinet(page: Page) {
  const query = { connectivity: "ONLINE", lifecycle: "ACTIVE", side: "SINGLE", pageSize: 50 };
  for (;;) {
    const { list } = (await callApiAs(page, cabinetContract.list, { query })).data;
    const found = list.find(({ service }) => service.state === "ACTIVE");
    if (found) return found;
    await page.waitForTimeout(200);
  }
}

test("two screens: a door opens on command, an item is put in, and the platform learns of it", async () => {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  const cabinet = await onlineCabinet(page);

  const params = { id: cabinet.id };
  await callApiAs(page, simulatedCabinetContract.change, { params, body: { hasPeople: true } });
  await page.goto(`/cupboard/index?keyword=${cabinet.sn}`);
  await page.getByRole("button", { name: cabinet.name }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("link", { name: "模拟柜机" }).click();
  await page.getByRole("heading", { level: 2, name: /模拟柜机/ }).waitFor();
  await page.getByText("已连接平台").waitFor();
  await page.getByText("自动存取与关门").click();
  await expect
    .poll(async () => {
      const { data } = await callApiAs(page, simulatedCabinetContract.get, { params });
      return data?.hasPeople;
    })
    .toBe(false);

  const door = page.getByRole("button", { name: /门已关，无物$/ }).first();
  const label = (await door.textContent()) ?? "";
  const no = Number(/^(\d+) 号/.exec(label)?.[1]);
  await callApiAs(page, commandContract.open, {
    params,
    body: { no, reason: "两屏演示" },
  });
  const opened = page.getByRole("button", { name: new RegExp(`^${no} 号格口.*门已开`) });
  await opened.waitFor();
  await opened.press("Enter");
  const panel = page.getByRole("region", { name: "所选格口" });
  await panel.getByRole("button", { name: "放入物品" }).click();
  await panel.getByText("实际有物").waitFor();
  await panel.getByRole("button", { name: "关门" }).click();
  await page.getByRole("button", { name: new RegExp(`^${no} 号格口.*门已关，有物`) }).waitFor();
  await page.getByText("无差异").waitFor();
  await page
    .getByRole("row")
    .filter({ hasText: `${no} 号` })
    .getByText("门已弹开")
    .waitFor();
  expect(complaints).toEqual([]);
  expect(await findViolations(page)).toEqual([]);
  await context.close();
});

test("network pulled: a door closed meanwhile stays open to the platform, until they talk again", async () => {
  const { context, page } = await demo.visit({ width: 390, height: 844 });
  await storeSession(page, demo.server.account(2, 1));
  const { id } = await onlineCabinet(page);
  await callApiAs(page, simulatedCabinetContract.change, {
    params: { id },
    body: { hasPeople: false },
  });
  await page.goto(`/cupboard/simulated?id=${id}`);
  await page.getByText("已连接平台").waitFor();
  const door = page.getByRole("button", { name: /门已关，无物$/ }).first();
  const no = Number(/^(\d+) 号/.exec((await door.textContent()) ?? "")?.[1]);
  const doorThat = (state: string) =>
    page.getByRole("button", { name: new RegExp(`^${no} 号格口.*${state}`) });
  await callApiAs(page, commandContract.open, { params: { id }, body: { no, reason: "断网演示" } });
  await doorThat("门已开").waitFor();
  await page.getByText("无差异").waitFor();
  await page.getByRole("switch", { name: "网络" }).click();
  await page.getByText("网络已断开").waitFor();
  await doorThat("门已开").press("c");
  await doorThat("门已关").waitFor();
  await page.getByRole("row", { name: `${no} 号门 已关 已开` }).waitFor();
  await page.getByRole("switch", { name: "网络" }).click();
  await page.getByText("已连接平台").waitFor();
  await page.getByText("无差异").waitFor();
  // Orders of other files need somebody who closes its doors.
  const body = { hasPeople: true };
  await callApiAs(page, simulatedCabinetContract.change, { params: { id }, body });
  await context.close();
});
