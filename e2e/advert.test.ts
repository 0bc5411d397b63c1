// Adverts from upload to screen: uploaded, scheduled, put on, downloaded by a simulated cabinet.
import { readdir } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { chooseItem, signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();

const picture = (background: string) =>
  sharp({ create: { width: 540, height: 960, channels: 3, background } })
    .png()
    .toBuffer();

test("advert: uploaded, scheduled, targeted and put on, the cabinet downloads it; 下架 deletes the file", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(
    page,
    demo.server.account(2, 1),
    "/cupboard/index?connectivity=ONLINE&lifecycle=ACTIVE",
  );
  const row = page.getByRole("row").filter({ hasText: "ZC26" }).first();
  const sn = /ZC26A\d{4}[SD]\d\d/.exec((await row.textContent()) ?? "")?.[0] ?? "";
  await row.getByRole("button", { name: /^更多操作/ }).click();
  await chooseItem(page, "广告");
  await page.waitForURL("**/cupboard/banner?cabinetId=*");
  await page.getByText(sn).waitFor();

  await page.getByRole("button", { name: "新增广告" }).click();
  const form = page.getByRole("dialog", { name: "新增广告" });
  await form.getByLabel("标题").fill("开学季存取优惠");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("图片或视频不能为空").waitFor();

  const chooser = form.locator("input[type=file]");
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await chooser.setInputFiles({ name: "a.svg", mimeType: "image/svg+xml", buffer: svg });
  await form.getByText("不支持“a.svg”").waitFor();
  await chooser.setInputFiles({ name: "b.png", mimeType: "image/png", buffer: svg });
  await form.getByText(/不支持这种文件，请上传图片/).waitFor();
  const buffer = await picture("#c9493f");
  await chooser.setInputFiles({ name: "海报.png", mimeType: "image/png", buffer });
  await form.getByText("图片 540×960").waitFor();
  // Preview as on the cabinet's screen.
  await form.getByRole("img", { name: "开学季存取优惠" }).waitFor();
  await expect.poll(() => form.getByLabel("标题").inputValue()).toBe("开学季存取优惠");

  await form.getByText("按时段").click();
  await form.getByText("指定设备").click();
  await form.getByRole("combobox", { name: "设备" }).fill(sn);
  await page
    .getByRole("option")
    .or(page.locator(".ant-select-item-option"))
    .filter({ hasText: sn })
    .first()
    .click();
  await form.getByRole("button", { name: "保存" }).click();
  await form.waitFor({ state: "hidden" });

  const advert = page.getByRole("row").filter({ hasText: "开学季存取优惠" });
  await advert.getByText("草稿").waitFor();
  await advert.getByText("08:00–22:00").waitFor();
  await advert.getByRole("button", { name: "上架" }).click();
  const question = page.getByRole("dialog", { name: "上架广告" });
  await question.getByRole("button", { name: "上架" }).click();
  await question.waitFor({ state: "hidden" });
  await advert.getByText("进行中").waitFor();
  await advert.getByText("就绪 1/1").waitFor();

  await advert.getByRole("button", { name: "开学季存取优惠", exact: true }).click();
  const detail = page.getByRole("dialog", { name: "开学季存取优惠" });
  await detail.getByRole("listitem").filter({ hasText: sn }).getByText("已就绪").waitFor();
  await page.keyboard.press("Escape");
  const files = () => readdir(path.join(demo.server.dataDir, "simulator/files", sn));
  const before = (await files()).length;

  await advert.getByRole("button", { name: "下架" }).click();
  const ending = page.getByRole("dialog", { name: "下架广告" });
  await ending.getByText("1 台设备").waitFor();
  await ending.getByRole("button", { name: "下架" }).click();
  await advert.getByText("已下架").waitFor();
  await expect.poll(async () => (await files()).length).toBe(before - 1);
  expect(complaints).toEqual([]);
  await context.close();
});

test("advert upload: cancelling half way keeps the previous file", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboard/banner");
  const advert = page.getByRole("row").filter({ hasText: "雨天借伞提示" });
  await advert.getByRole("button", { name: "编辑" }).click();
  const form = page.getByRole("dialog", { name: "编辑广告：雨天借伞提示" });
  await form.getByText("雨天借伞提示.jpg").waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/admin/v1/screen-content/file", async (route) => {
    await held;
    await route.abort();
  });
  const buffer = await picture("#2d6f8f");
  await form
    .locator("input[type=file]")
    .setInputFiles({ name: "新图.png", mimeType: "image/png", buffer });
  await form.getByRole("progressbar", { name: "上传进度" }).waitFor();
  await form.getByRole("button", { name: "取消" }).first().click();
  await form.getByText("雨天借伞提示.jpg").waitFor();
  expect(await form.getByRole("alert").count()).toBe(0);
  release();
  await context.close();
});

test("maintenance staff: no adverts entry in the menu of a cabinet", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 2), "/cupboard/index");
  await page
    .getByRole("button", { name: /^更多操作/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "二维码" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "广告" }).count()).toBe(0);
  await context.close();
});
