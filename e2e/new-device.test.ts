// A new device from a supplier's list to an open door: import, assign, activate, place, open.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readXlsx, writeXlsx } from "hucre/xlsx";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
const TENANT = "杭州禾木智存科技有限公司";
/** Not one whose cabinets store.test.ts counts. */
const STORE = "延安路店";
const SN = "ZC26JOURNEY01";

let folder: string;
let simulator: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "new-device-"));
});
afterAll(async () => {
  if (simulator && simulator.exitCode === null) {
    simulator.kill("SIGTERM");
    await once(simulator, "exit");
  }
  await rm(folder, { recursive: true, force: true });
});

/** Sheet with two valid rows, one in lower case; an empty row; a short number; an unknown model. */
async function writeList(): Promise<string> {
  const rows = [
    ["设备编号（必填）", "型号（必填）", "批次", "备注"],
    [SN.toLowerCase(), "单面柜 24 格", "2026-11 试点", ""],
    ["AB12", "单面柜 24 格", "", ""],
    [null, null, null, null],
    ["ZC26JOURNEY02", "单面柜 24 格", "2026-11 试点", "=1+1"],
    ["ZC26JOURNEY03", "单面柜 240 格", "", ""],
  ];
  const file = path.join(folder, "发货清单.xlsx");
  await writeFile(file, await writeXlsx({ sheets: [{ name: "清单", rows }] }));
  return file;
}

function activate(sn: string, code: string): () => string {
  const main = path.join(import.meta.dirname, "../apps/simulator/src/main.ts");
  const words = ["--activate", `${sn}:${code}`, "--server", demo.server.origin];
  simulator = spawn(process.execPath, [main, ...words, "--auto-close", "60000"], {
    env: { ...process.env, DATA_DIR: folder },
  });
  let output = "";
  for (const stream of [simulator.stdout, simulator.stderr]) {
    stream?.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
  }
  return () => output;
}

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

async function choose(page: Page, label: string, option: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(label).click();
  await dialog.getByLabel(label).fill(option);
  await page.getByTitle(option, { exact: true }).last().click();
}

test("new device: from the spreadsheet to the open door", async () => {
  const staff = await demo.visit();
  const { page } = staff;
  await signIn(page, demo.server.account(1, 0), "/register/deviceList");

  // Preview: each row is validated before anything is imported.
  await page.getByRole("button", { name: "导入" }).click();
  const dialog = page.getByRole("dialog", { name: "导入新设备" });
  await dialog.locator("input[type=file]").setInputFiles(await writeList());
  await dialog.getByText("文件 5 行 = 可导入 2 + 有误 2 + 空 1").waitFor();
  await rowOf(page, "第 3 行").getByText("编号只有 4 位").waitFor();
  await rowOf(page, "第 6 行").getByText("没有型号“单面柜 240 格”").waitFor();
  await expect
    .poll(() => dialog.getByRole("button", { name: "导入 2 台" }).isDisabled())
    .toBe(true);
  await dialog.getByText("仅导入无误的行", { exact: true }).click();

  // A network failure keeps the preview; the retry returns the codes.
  const sent = Promise.withResolvers<Route>();
  await page.route("**/device/stock/import", (route) => sent.resolve(route), { times: 1 });
  await dialog.getByRole("button", { name: "导入 2 台" }).click();
  const request = await sent.promise;
  await dialog.getByRole("button", { name: "导入 2 台", disabled: true }).waitFor();
  await request.abort();
  await dialog.getByText("预览仍保留").waitFor();
  await dialog.getByRole("button", { name: "导入 2 台" }).click();
  await dialog.getByText("已导入 2 台，2 行没有导入").waitFor();
  await dialog.getByText("文件 5 行 = 导入 2 + 有误 2 + 空 1").waitFor();

  // Codes are shown once: closing unsaved asks; the downloaded file contains the same codes.
  await dialog.getByRole("button", { name: "完成" }).click();
  await page.getByRole("button", { name: "返回保存" }).click();
  const saved = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "下载", exact: true }).click();
  const file = await readXlsx(await readFile(await (await saved).path()));
  const code = (await rowOf(page, SN).locator("code").textContent()) ?? "";
  expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/);
  expect(file.sheets[0]?.rows[1]?.slice(0, 3)).toEqual([SN, code, "单面柜 24 格"]);
  await dialog.getByRole("button", { name: "完成" }).click();
  await dialog.waitFor({ state: "hidden" });

  // Assign it to a tenant.
  await page.goto(`/register/deviceList?keyword=${SN}`);
  await rowOf(page, SN).getByRole("button", { name: "分配租户" }).click();
  await choose(page, "租户", TENANT);
  await page.getByRole("dialog").getByRole("button", { name: "分配", exact: true }).click();
  await rowOf(page, SN).getByText("已分配").waitFor();
  await rowOf(page, SN).getByText(TENANT).waitFor();

  // The tenant's operator sees it as waiting and assigns a store.
  const operator = await demo.visit();
  await signIn(operator.page, demo.server.account(2, 1), `/cupboard/index?keyword=${SN}`);
  const mine = rowOf(operator.page, SN);
  await mine.getByText("未启用").waitFor();
  await mine.getByText("从未连接").waitFor();
  await mine.getByRole("checkbox").check();
  await operator.page.getByRole("button", { name: "分配门店" }).click();
  await choose(operator.page, "门店", STORE);
  await operator.page
    .getByRole("dialog")
    .getByRole("button", { name: "分配", exact: true })
    .click();
  await mine.getByText(STORE).waitFor();

  // On site: the code typed in lower case without hyphens.
  const output = activate(SN, code.toLowerCase().replaceAll("-", ""));
  await mine
    .getByText("在线", { exact: true })
    .waitFor()
    .catch((error) => {
      throw new Error(`${output()}\n${error}`);
    });
  await mine.getByText("运营中").waitFor();
  expect(output()).toContain(`${SN} 已激活`);
  await rowOf(page, SN).getByText("已激活").waitFor();
  await rowOf(page, SN).getByText("已使用").waitFor();

  // Open its first door.
  await mine.getByRole("link", { name: "格口管理" }).click();
  await operator.page.getByRole("gridcell").getByRole("button", { name: "门已关" }).first().click();
  await operator.page.getByRole("button", { name: "远程开门" }).click();
  const opening = operator.page.getByRole("dialog");
  await opening.getByRole("textbox").fill("新设备验收");
  await opening.getByRole("button", { name: "开门", exact: true }).click();
  await opening.getByText("已开门", { exact: true }).waitFor();

  expect([...staff.complaints, ...operator.complaints]).toEqual([]);
  await Promise.all([staff.context.close(), operator.context.close()]);
});
