// 设备型号 and its layout editor: draw, correct, save, and keep compartments that hold goods.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();

async function openAs(tenantId: number, userType: 0 | 1) {
  const { context, page, complaints } = await demo.visit();
  await storeSession(page, demo.server.account(tenantId, userType));
  return { context, page, complaints };
}

/** Doors are found by number, gaps by position. */
const door = (page: Page, no: number) =>
  page.getByRole("gridcell").getByRole("button", { name: new RegExp(`^${no} 号格口`) });
const gaps = (page: Page) => page.getByRole("gridcell").getByRole("button", { name: "空位" });
const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });

test("cabinet model: drawn, mistakes marked in place, saved, copied", async () => {
  const { context, page, complaints } = await openAs(1, 0);
  await page.goto("/cupboard/ModelList");
  await page.getByRole("button", { name: "新增设备型号" }).click();
  await door(page, 24).waitFor();
  await page.getByLabel("名称").fill("手绘柜 19 格");
  await page.getByLabel("双面").check();
  await expect.poll(() => page.getByRole("gridcell").count()).toBe(24);

  // Dragging over two places in the middle turns them into the gap for the screen.
  await door(page, 12).hover();
  await page.mouse.down();
  await door(page, 13).hover();
  await page.mouse.up();
  await page.getByText("已选 2 个格口").waitFor();
  await page.keyboard.press("Delete");
  await expect.poll(() => gaps(page).count()).toBe(2);
  // From the back, the first column is on the right.
  const left = async () => (await door(page, 1).boundingBox())?.x ?? 0;
  const front = await left();
  await page.getByRole("button", { name: "背面", exact: true }).click();
  await expect.poll(left).toBeGreaterThan(front);
  await page.getByRole("button", { name: "正面", exact: true }).click();

  // Merge four doors into a tall one by keyboard only.
  await door(page, 5).focus();
  await page.keyboard.press("ArrowUp");
  for (let step = 0; step < 3; step++) await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("已选 4 个格口").waitFor();
  await page.getByRole("button", { name: "合并为一个高格口" }).click();
  await page.getByText("4 号格口", { exact: true }).waitFor();
  await door(page, 4).focus();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "4 号格口，特大，高 4 行" }).waitFor();

  // A duplicate number and a duplicate board address: both marked at the doors, nothing saved.
  await door(page, 7).waitFor({ state: "detached" });
  await page.getByLabel("格口号", { exact: true }).fill("9");
  await page.getByLabel("驱动板地址", { exact: true }).fill("02-01");
  await page.getByText("有 4 处需要修正").waitFor();
  await page.getByRole("button", { name: "保存" }).click();
  await page.getByRole("alert").getByText("布局还有 4 处需要修正").waitFor();
  await page.getByRole("button", { name: "自动编号" }).click();
  await page.getByRole("menuitem", { name: "逐列，自上而下" }).click();
  await page.getByText("有 2 处需要修正").waitFor();
  await page.getByRole("button", { name: "填写驱动板地址" }).click();
  await page.getByRole("menuitem", { name: "每列一块板" }).click();
  await page.getByText("处需要修正", { exact: false }).first().waitFor({ state: "detached" });
  await page.getByRole("button", { name: "撤销" }).click();
  await page.getByText("有 2 处需要修正").waitFor();
  await page.getByRole("button", { name: "重做" }).click();

  // Refused: a single lost heartbeat would raise an offline alarm.
  await page.getByLabel("离线阈值").fill("40");
  await page.getByRole("button", { name: "保存" }).click();
  await page.getByText("至少为心跳间隔的 2 倍（60 秒）").waitFor();
  await page.getByLabel("离线阈值").fill("120");
  await page.getByRole("button", { name: "保存" }).click();
  await page.waitForURL("**/cupboard/ModelList");
  const row = rowOf(page, "手绘柜 19 格");
  await row.getByText("小 18、特大 1").waitFor();

  await row.getByRole("link", { name: "复制" }).click();
  await page.getByText("复制设备型号：手绘柜 19 格").waitFor();
  await expect.poll(() => page.getByLabel("名称").inputValue()).toBe("手绘柜 19 格 副本");
  await page.getByRole("button", { name: "4 号格口，特大，高 4 行" }).waitFor();
  await page.getByRole("button", { name: "保存" }).click();
  await page.waitForURL("**/cupboard/ModelList");
  const copy = rowOf(page, "手绘柜 19 格 副本");
  await copy.getByRole("button", { name: "删除" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "删除" }).click();
  await copy.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  await context.close();
});

test("cabinet model in use: removing compartments that hold goods is refused and names them", async () => {
  const { context, page, complaints } = await openAs(1, 0);
  await page.goto("/cupboard/ModelList");
  const row = rowOf(page, "单面柜 60 格");
  await expect.poll(() => row.getByRole("button", { name: "删除" }).isDisabled()).toBe(true);
  await row.getByRole("link", { name: "编辑" }).click();
  await door(page, 60).waitFor();
  await expect.poll(() => page.getByLabel("双面").isDisabled()).toBe(true);
  await page.getByLabel("列数").fill("5");
  await page.getByLabel("列数").press("Tab");
  await door(page, 60).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "保存" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("51–60 号").waitFor();
  await dialog.getByRole("textbox").fill("拆除最后一列");
  await dialog.getByRole("button", { name: "保存并调整" }).click();
  const refusal = dialog.getByRole("alert");
  await refusal.getByText("要删除的格口里还有物品或指令").waitFor();
  await expect
    .poll(() => refusal.textContent())
    .toMatch(/号柜（ZC26A\d+S60）(5[1-9]|60) 号(占用|检测到物品)/);
  await dialog.getByRole("button", { name: "取消" }).click();
  // The refused drawing stays in the editor and can be undone.
  await expect.poll(() => page.getByRole("gridcell").count()).toBe(50);
  await page.getByRole("button", { name: "撤销" }).click();
  await door(page, 60).waitFor();

  // A changed board address is allowed and applies to every cabinet at once.
  await door(page, 60).click();
  await page.getByLabel("驱动板地址", { exact: true }).fill("09-10");
  await page.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("button", { name: "更正布局录入错误" }).click();
  await dialog.getByRole("button", { name: "保存并调整" }).click();
  await page.getByText(/已保存“单面柜 60 格”，\d+ 台设备的格口已调整/).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("operator: reads cabinet models and cannot change them", async () => {
  const { context, page } = await openAs(2, 1);
  await page.goto("/cupboard/ModelList");
  await rowOf(page, "双面柜 36 格").waitFor();
  expect(await page.getByRole("button", { name: "新增设备型号" }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "编辑" }).count()).toBe(0);
  await page.getByText("双面柜 36 格", { exact: true }).click();
  const drawn = page.getByRole("grid", { name: "双面柜 36 格的布局" });
  await drawn.waitFor();
  await expect.poll(() => drawn.getByRole("gridcell").count()).toBe(36);
  await page.goto("/cupboard/ModelAdd");
  await page.getByText("没有权限访问“新增设备型号”").waitFor();
  await context.close();
});
