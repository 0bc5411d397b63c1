// 编辑设备 from the browser to a simulated cabinet and back, and its logs with raw payloads.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();

async function signedIn(userType: 0 | 1 = 1) {
  const visited = await demo.visit();
  await storeSession(visited.page, demo.server.account(2, userType));
  return visited;
}

/** Opens the edit page of the nth online, active cabinet; returns its id. */
async function editNth(page: Page, nth: number): Promise<string> {
  await page.goto("/cupboard/index?sort=name&order=asc&connectivity=ONLINE&lifecycle=ACTIVE");
  const links = page.getByRole("link", { name: "编辑", exact: true });
  await expect.poll(() => links.count()).toBeGreaterThan(nth);
  const href = (await links.nth(nth).getAttribute("href")) ?? "";
  await page.goto(href);
  await page.getByLabel("设备名称").waitFor();
  return new URL(href, demo.server.origin).searchParams.get("id") ?? "";
}

const saveButton = (page: Page) => page.getByRole("button", { name: "保存", exact: true });
const versionOf = async (page: Page) =>
  Number(/v(\d+)$/.exec((await page.getByText(/^一致 v\d+$/).textContent()) ?? "")?.[1]);

test("cabinet edit: a refused save keeps the input; a saved one reaches the cabinet, shown live", async () => {
  const { context, page, complaints } = await signedIn();
  await editNth(page, 0);
  const version = await versionOf(page);
  await expect.poll(() => saveButton(page).isDisabled()).toBe(true);

  await page.getByLabel("位置说明").fill("二楼服务台旁");
  await page.getByRole("radiogroup").filter({ hasText: "规则" }).getByText("单独设置").click();
  await page.getByLabel("免费时长").fill("20");
  await page.getByLabel("每次起步价").fill("1");
  await page.getByLabel("计费单位时长").fill("1");
  await page.getByLabel("每单位价格").fill("1.005");
  await page.getByLabel(/^音量/).fill("31");
  await page.getByLabel(/^低电压报警/).fill("13");
  await saveButton(page).click();
  await page.getByText("每单位价格须为金额，最多两位小数，如 3.50").waitFor();
  await page.getByText("有内容需要改正").waitFor();
  await expect.poll(() => page.getByLabel("位置说明").inputValue()).toBe("二楼服务台旁");

  await page.getByLabel("每单位价格").fill("1.50");
  const example = page.getByRole("table", { name: "费用示例" });
  // 100 minutes after the free ones are two steps: 1 + 2 × 1.50.
  await example.getByRole("row", { name: "2 小时 ¥4.00" }).waitFor();
  await page.getByText("未保存的修改：位置说明、计费规则、设备参数").waitFor();
  await saveButton(page).click();
  await page.getByText("已保存，参数已下发").waitFor();
  await page.getByText(`一致 v${version + 1}`, { exact: true }).waitFor();
  await page.getByText("设备上报 31 %").waitFor();
  await page.getByText("暂无修改").waitFor();

  await page.reload();
  await expect.poll(() => page.getByLabel("每单位价格").inputValue()).toBe("1.50");
  await expect.poll(() => page.getByLabel("位置说明").inputValue()).toBe("二楼服务台旁");
  expect(complaints).toEqual([]);
  await context.close();
});

test("cabinet edit: another account's save is not overwritten", async () => {
  const { context, page, complaints } = await signedIn();
  const id = await editNth(page, 1);
  const name = await page.getByLabel("设备名称").inputValue();
  await page.getByLabel("客服电话").fill("400-100-2000");

  const other = await signedIn(0);
  await other.page.goto(`/cupboard/cupboardEdit?id=${id}`);
  await other.page.getByLabel("设备名称").fill(`${name}（新）`);
  await saveButton(other.page).click();
  await other.page.getByText("已保存", { exact: true }).waitFor();

  await page.getByText(/刚刚保存了新的内容（设备名称）/).waitFor();
  await expect.poll(() => saveButton(page).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "载入最新" }).click();
  await expect.poll(() => page.getByLabel("设备名称").inputValue()).toBe(`${name}（新）`);
  expect(await page.getByLabel("客服电话").inputValue()).not.toBe("400-100-2000");
  expect([...complaints, ...other.complaints]).toEqual([]);
  await other.context.close();
  await context.close();
});

test("cabinet logs: the alarm that a new limit raised, and the messages of an opening", async () => {
  const { context, page, complaints } = await signedIn();
  const id = await editNth(page, 2);
  const version = await versionOf(page);
  // Above any supply voltage: the next heartbeat raises the alarm.
  await page.getByLabel(/^低电压报警/).fill("14");
  await page.getByLabel(/^心跳间隔/).fill("10");
  await saveButton(page).click();
  await page.getByText(`一致 v${version + 1}`, { exact: true }).waitFor();

  await page.goto(`/cupboard/log?cabinetId=${id}&kind=POWER_LOW`);
  await page.getByRole("region", { name: "在线时段" }).getByText("在线率").waitFor();
  const alarm = page.getByRole("row").filter({ hasText: /电源不足（12(\.\d+)? V）/ });
  await alarm.first().waitFor();
  await alarm.first().getByRole("button").first().click();
  const drawer = page.getByRole("dialog");
  const payload = drawer.getByRole("region", { name: "原始报文" });
  await expect.poll(() => payload.textContent()).toMatch(/"type": "POWER_LOW"/);
  await drawer.getByRole("button", { name: "复制原始报文" }).click();
  await page.getByText("已复制").waitFor();

  await page.goto("/cupboard/record?kind=OPEN&state=CONFIRMED");
  const row = page.getByRole("row").filter({ hasText: "已开门" }).first();
  await row.getByRole("button").first().click();
  await drawer.getByText("各阶段用时").waitFor();
  await drawer.getByText("下发指令").click();
  const sent = drawer.getByRole("region", { name: "下发指令报文" });
  await expect.poll(() => sent.textContent()).toMatch(/"type": "OPEN"/);
  expect(complaints).toEqual([]);
  await context.close();
});
