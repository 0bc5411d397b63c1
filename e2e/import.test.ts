// Imports of files that people have: stores from a supplier's list, corrected and imported again.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readXlsx } from "hucre/xlsx";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workbook } from "../tests/input/files.ts";
import { signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "import-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileOf(name: string, content: Uint8Array | string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

/** Presses the button and returns the rows of the workbook that it saves. */
async function savedRows(page: Page, button: Locator) {
  const saved = page.waitForEvent("download");
  await button.click();
  const download = await saved;
  const { sheets } = await readXlsx(await readFile(await download.path()));
  return { file: await download.path(), rows: sheets[0]?.rows ?? [] };
}

const rowOf = (scope: Locator, text: string) => scope.getByRole("row").filter({ hasText: text });

test("import of stores: columns chosen once, bad lines corrected in their own file", async () => {
  const { page, context, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/point/index");
  await page.getByRole("button", { name: "导入" }).click();
  const dialog = page.getByRole("dialog", { name: "导入门店" });
  const upload = dialog.locator("input[type=file]");

  // The template has the titles of the columns, the required ones named.
  const template = await savedRows(page, dialog.getByRole("button", { name: "下载模板" }));
  expect(template.rows[0]?.slice(0, 3)).toEqual([
    "门店编码（必填）",
    "门店名称（必填）",
    "所在地区",
  ]);

  // A list on the second sheet below a title, whose titles nobody knows; a hidden row, a date, an error.
  const list = workbook({
    sheets: [
      { name: "封面", rows: [["门店资料"]] },
      {
        name: "门店",
        rows: [
          ["2026 年门店一览"],
          ["代号", "招牌", "联系方式", "备注"],
          ["IMP-01", "东门店", { v: 13_812_345_678 }, { v: 46_327, format: 57 }],
          { line: 4, cells: ["IMP-02", "西门店", "", ""], isHidden: true },
          { line: 5, cells: ["IMP-01", "南门店", "", ""] },
          { line: 7, cells: ["IMP-04", { v: "#N/A", t: "e" }, "", ""] },
        ],
      },
    ],
  });
  await upload.setInputFiles(await fileOf("门店.xlsx", list));
  await dialog.getByText("请选择“门店编码”、“门店名称”在哪一列").waitFor();
  const choose = async (label: string, option: string) => {
    await dialog.getByLabel(label, { exact: true }).click();
    await page.getByTitle(option, { exact: true }).last().click();
  };
  await choose("工作表", "门店");
  await choose("表头在", "第 2 行：代号、招牌、联系方式、备注");
  await choose("门店编码", "A 列：代号");
  await choose("门店名称", "B 列：招牌");
  await dialog.getByText("文件 5 行 = 可导入 2 + 有误 2 + 空 1").waitFor();
  await dialog.getByText("也会导入：第 4 行").waitFor();
  await rowOf(dialog, "第 3 行").getByText("将按显示的“2026年11月”导入").waitFor();
  await rowOf(dialog, "第 5 行").getByText("与第 3 行的门店编码重复").waitFor();
  await rowOf(dialog, "第 7 行").getByText("错误值 #N/A").waitFor();
  const shown = await dialog.getByRole("row").allTextContents();
  expect(shown.map((text) => /第 (\d+) 行/.exec(text)?.[1]).filter(Boolean)).toEqual([
    "5",
    "7",
    "3",
    "4",
  ]);

  // The good lines are imported; the bad ones are saved with their reasons.
  await dialog.getByText("仅导入无误的行", { exact: true }).click();
  await dialog.getByRole("button", { name: "导入 2 家" }).click();
  await dialog.getByText("文件 5 行 = 导入 2 + 有误 2 + 空 1").waitFor();
  const left = await savedRows(page, dialog.getByRole("button", { name: "下载有误的行" }));
  expect(left.rows.map((row) => [row[0], row.at(-2), row.at(-1)])).toEqual([
    ["门店编码（必填）", "原文件的行", "原因"],
    ["IMP-01", "第 5 行", "重复：与第 3 行的门店编码重复"],
    ["IMP-04", "第 7 行", "有误：“门店名称”是错误值 #N/A，请改正"],
  ]);

  // The same titles again need no choice; what is there already is named.
  await dialog.getByRole("button", { name: "导入其他文件" }).click();
  await upload.setInputFiles(
    await fileOf("更正.csv", '\ufeff代号,招牌\nIMP-01,东门店\nIMP-03,南门店\nIMP-04,"北门店\n'),
  );
  await dialog.getByText("文件 3 行 = 可导入 2 + 有误 1 + 空 0").waitFor();
  await rowOf(dialog, "第 4 行").getByText("第 4 行的引号没有成对").waitFor();
  await dialog.getByText("仅导入无误的行", { exact: true }).click();
  await dialog.getByRole("button", { name: "导入 2 家" }).click();
  await dialog.getByText("文件 3 行 = 导入 1 + 有误 2 + 空 0").waitFor();
  await rowOf(dialog, "第 2 行").getByText("编码已用于门店“东门店”").waitFor();
  await dialog.getByRole("button", { name: "完成" }).click();
  await dialog.waitFor({ state: "hidden" });

  await page.goto("/point/index?keyword=IMP-0");
  for (const name of ["东门店", "西门店", "南门店"]) {
    await page.getByRole("row").filter({ hasText: name }).waitFor();
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("import of tags: platform staff choose the tenant before the file", async () => {
  const { page, context, complaints } = await demo.visit({ width: 1366, height: 625 });
  await signIn(page, demo.server.account(1, 0), "/user/normalUser?view=tags");
  await page.getByRole("button", { name: "导入" }).click();
  const dialog = page.getByRole("dialog", { name: "导入标签" });
  await expect.poll(() => dialog.getByRole("button", { name: "选择文件" }).isDisabled()).toBe(true);
  await dialog.getByLabel("租户").click();
  await page.getByTitle("杭州禾木智存科技有限公司", { exact: true }).last().click();
  const file = await fileOf("标签.csv", "标签,颜色\n导入一,金色\n导入二,粉色\n\n导入三,\n");
  await dialog.locator("input[type=file]").setInputFiles(file);
  await dialog.getByText("文件 4 行 = 可导入 2 + 有误 1 + 空 1").waitFor();
  await rowOf(dialog, "第 3 行").getByText("没有颜色“粉色”").waitFor();
  await dialog.getByText("仅导入无误的行", { exact: true }).click();
  await dialog.getByRole("button", { name: "导入 2 个" }).click();
  await dialog.getByText("文件 4 行 = 导入 2 + 有误 1 + 空 1").waitFor();
  await dialog.getByRole("button", { name: "完成" }).click();
  await page.getByRole("row").filter({ hasText: "导入三" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
