// Firmware roll-out from signed upload to cabinets, and staged parameters with cancel and revert.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { signFirmware } from "@cabinet/link";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { chooseItem, signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const VERSION = "2.0.0";

const demo = useWrittenDemo();

/** Chooses by typing: the option list moves with the scrolled form, and a click could miss. */
async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  await field.fill(option);
  await page.locator(".ant-select-item-option-active", { hasText: option }).waitFor();
  await page.keyboard.press("Enter");
}

test("firmware upload: a wrong maker signature is refused; a valid one is saved and released", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(1, 0), "/cupboard/ModelList");
  await page.getByRole("button", { name: "固件", exact: true }).click();
  await page.getByRole("button", { name: "上传固件" }).click();
  const drawer = page.getByRole("dialog", { name: "上传固件" });
  const image = Buffer.alloc(200_000, `cabinet program ${VERSION}\n`);
  await drawer
    .getByLabel("选择文件")
    .setInputFiles({ name: "cabinet.bin", mimeType: "application/octet-stream", buffer: image });
  const sha256 = createHash("sha256").update(image).digest("hex");
  await drawer.getByText(sha256).waitFor();
  await drawer.getByLabel("版本号").fill(VERSION);
  for (const model of [
    "单面柜 24 格",
    "单面柜 36 格",
    "单面柜 60 格",
    "双面柜 24 格",
    "双面柜 36 格",
  ]) {
    await choose(page, drawer.getByLabel("适用型号"), model);
    await page.keyboard.press("Escape");
  }
  await drawer.getByLabel("厂家签名").fill("A".repeat(86));
  await drawer.getByLabel("最低版本").fill("1.4.0");
  await drawer.getByRole("button", { name: "保存为草稿" }).click();
  await drawer.getByText(/签名与型号“.+”的厂家公钥不符/).waitFor();
  const file = path.join(demo.server.dataDir, "demo-maker-key.json");
  const { privateKey } = JSON.parse(await readFile(file, "utf8"));
  await drawer.getByLabel("厂家签名").fill(signFirmware(sha256, privateKey));
  await drawer.getByRole("button", { name: "保存为草稿" }).click();
  await page.getByText(`固件 ${VERSION} 签名验证通过`).waitFor();
  const row = page.getByRole("row").filter({ hasText: VERSION });
  await row.getByRole("button", { name: "发布" }).click();
  await page
    .getByRole("dialog", { name: "发布固件" })
    .getByRole("button", { name: "发布" })
    .click();
  await row.getByText("已发布").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("firmware roll-out: an operator updates a store in two stages", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboard/index");
  await page.getByRole("button", { name: "下发任务" }).click();
  await page.getByText("全部门店升级到 1.4.2").waitFor();
  await page.getByRole("button", { name: "新建下发任务" }).click();
  const drawer = page.getByRole("dialog", { name: "新建下发任务" });
  await drawer.getByRole("textbox", { name: "任务名称" }).fill("首店升级");
  await choose(page, drawer.getByLabel("固件", { exact: true }), VERSION);
  await choose(page, drawer.getByLabel("门店"), "学林街店");
  await drawer.getByLabel("每批累计到").fill("50, 100");
  await drawer.getByLabel("达到后再观察").fill("0");
  await drawer.getByText(/将下发到 \d+ 台设备，其中在线 [1-9]\d* 台/).waitFor();
  await drawer.getByText(/第 2 批 [1-9]\d* 台/).waitFor();
  await drawer.getByRole("button", { name: "开始下发" }).click();
  await page.getByText(/任务“首店升级”已建立，共 \d+ 台设备/).waitFor();
  await page.getByRole("button", { name: "首店升级", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "首店升级" });
  // Online cabinets of both stages update; offline ones stay waiting.
  await expect.poll(() => detail.getByText(`1.4.2 → ${VERSION}`).count()).toBeGreaterThan(1);
  await detail.getByText("进入下一批").waitFor();
  await page.goto(`/cupboard/index?${new URLSearchParams({ keyword: "学林街店 1 号柜" })}`);
  await page.getByRole("button", { name: "学林街店 1 号柜", exact: true }).click();
  await page.getByRole("dialog").getByText(VERSION).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("parameter roll-out: staged to chosen cabinets, cancelled and reverted with a reason", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(
    page,
    demo.server.account(2, 1),
    "/cupboard/index?sort=name&order=asc&connectivity=ONLINE&lifecycle=ACTIVE",
  );
  const rows = page.getByRole("row").filter({ has: page.getByRole("link", { name: "格口管理" }) });
  const boxes = rows.getByRole("checkbox", { name: "选择" });
  await expect.poll(() => boxes.count()).toBeGreaterThan(3);
  // By state, not by place: a cabinet that connects meanwhile moves the rows behind it.
  const unchecked = rows.getByRole("checkbox", { name: "选择", checked: false });
  for (let chosen = 0; chosen < 3; chosen++) await unchecked.first().click();
  await page.getByRole("button", { name: "下发参数" }).click();
  await page
    .getByRole("dialog", { name: "下发参数" })
    .getByRole("link", { name: "分批下发" })
    .click();
  const drawer = page.getByRole("dialog", { name: "新建下发任务" });
  await drawer.getByText("只对设备列表中选择的 3 台设备下发").waitFor();
  await drawer.getByRole("textbox", { name: "任务名称" }).fill("试调音量");
  await drawer.getByLabel("音量").fill("41");
  await drawer.getByText("第 3 批 1 台").waitFor();
  await drawer.getByRole("button", { name: "开始下发" }).click();
  const row = page.getByRole("row").filter({ hasText: "试调音量" });
  await row.getByText("1 / 3", { exact: true }).waitFor();
  const giveReason = async (action: string) => {
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: action, exact: true });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("门店反馈声音太小");
    await confirm.click();
  };
  await row.getByRole("button", { name: "更多操作：试调音量" }).click();
  await chooseItem(page, "取消任务");
  await giveReason("取消任务");
  await row.getByText("已取消").waitFor();
  await row.getByRole("button", { name: "回退参数" }).click();
  await giveReason("回退参数");
  await page.getByText("已回退，离线设备上线后恢复").waitFor();
  await page.getByRole("button", { name: "试调音量", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "试调音量" });
  await detail.getByText("门店反馈声音太小（回退 1 台）").waitFor();
  await expect.poll(() => detail.getByText("已回退", { exact: true }).count()).toBe(1);
  expect(complaints).toEqual([]);
  await context.close();
});
