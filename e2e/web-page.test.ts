// 网页版: its switch decides what a scanned QR code shows, and the stickers print chosen cabinets alone.
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { appPageContract } from "@cabinet/contract/orders/app/app-page.contract.ts";
import { tenantPagePath } from "@cabinet/contract/orders/app/app-page.rules.ts";
import { webPageContract } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import qrcode from "qrcode-generator";
import { expect, test } from "vitest";
import { solvedCaptcha } from "../apps/simulator/src/people/captcha.ts";
import { callApi, callApiAs } from "./support/api.ts";
import { findViolations } from "./support/axe.ts";
import { signIn, storeSession } from "./support/browser.ts";
import { useSharedDemo } from "./support/test-server.ts";

const demo = useSharedDemo();

test("网页版: off and on again, seen by somebody who scans a cabinet's code", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/idConfig/page");
  await page.getByText("已开通", { exact: true }).waitFor();
  const { list } = (await callApiAs(page, webPageContract.stickers, {})).data;
  const sticker = list.find(({ name }) => name.includes("1 号柜"));
  if (!sticker) throw new Error("the demo has such a cabinet");

  const rider = await demo.visit();
  const scan = () => rider.page.goto(`/m/c/${sticker.sn}`);
  const calls: string[] = [];
  rider.page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await scan();
  await rider.page.getByRole("heading", { name: sticker.name }).waitFor();
  // The document's preload is the page's own request.
  expect(calls.filter((path) => path === "/api/app/v1/page")).toHaveLength(1);
  expect(calls.filter((path) => path.startsWith("/api/app/v1/cabinet/"))).toHaveLength(1);

  await page.getByRole("button", { name: "关闭网页版" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确认关闭" }).click();
  await page.getByText("未开通，扫码的人打不开").waitFor();
  await scan();
  await rider.page.getByText(/没有找到这台柜机的网页版/).waitFor();

  await page.getByRole("button", { name: "开通网页版" }).click();
  await page.getByText("已开通", { exact: true }).waitFor();
  await scan();
  await rider.page.getByRole("heading", { name: sticker.name }).waitFor();

  // The tenant's own address, then the page as a phone remembers it.
  const { tenantCode, tenantName } = (await callApiAs(page, webPageContract.setting, {})).data;
  for (const path of [tenantPagePath(tenantCode), "/m/"]) {
    const answer = rider.page.waitForResponse((reply) => reply.url().includes("tenantCode="));
    await rider.page.goto(path);
    expect((await (await answer).json()).data).toMatchObject({ tenantName, cabinet: null });
    // Once the page shows the tenant, it has forgotten the cabinet.
    await rider.page.getByText(tenantName).first().waitFor();
  }
  expect([...complaints, ...rider.complaints]).toEqual([]);
  await rider.context.close();
  await context.close();
});

test("stickers: chosen by store and one by one; paper shows them and nothing else", async () => {
  const { context, page, complaints } = await demo.visit();
  await page.addInitScript("window.print = () => {}");
  await signIn(page, demo.server.account(2, 1), "/idConfig/page");
  const boxes = page.getByRole("list").getByRole("checkbox");
  await boxes.first().waitFor();
  const all = await boxes.count();

  await page.getByRole("combobox", { name: "门店" }).click();
  await page.getByRole("option").first().click();
  // While the store's cabinets load there are none.
  await expect.poll(async () => (await boxes.count()) || all).toBeLessThan(all);
  const ofStore = await boxes.count();
  await boxes.first().uncheck();
  await page.getByRole("button", { name: "每行 2 张" }).click();
  await page.getByRole("button", { name: `打印 ${ofStore - 1} 张` }).click();

  await page.emulateMedia({ media: "print" });
  const sheet = page.locator(".qr-sheet > li");
  await expect.poll(() => sheet.count()).toBe(ofStore - 1);
  await expect.poll(() => sheet.first().isVisible()).toBe(true);
  await expect.poll(() => sheet.first().textContent()).toContain("扫码存件 · 取件");
  expect(await page.getByRole("button").count()).toBe(0);
  const [one, two, three] = await Promise.all(
    [0, 1, 2].map(async (nth) => (await sheet.nth(nth).boundingBox())?.y),
  );
  expect(two).toBe(one);
  expect(three).toBeGreaterThan(two ?? 0);
  expect(complaints).toEqual([]);
  await context.close();
});

test("设备列表: the labels of the selected cabinets are printed, one a page", async () => {
  const { context, page, complaints } = await demo.visit();
  await page.addInitScript("window.print = () => {}");
  await signIn(page, demo.server.account(2, 1), "/cupboard/index");
  const boxes = page.getByRole("checkbox", { name: "选择", exact: true });
  await boxes.first().check();
  await boxes.nth(1).check();
  await page.getByRole("button", { name: "打印二维码" }).click();
  const dialog = page.getByRole("dialog", { name: "打印二维码" });
  await dialog.getByRole("button", { name: "每页 1 张" }).click();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "打印 2 张" }).click();
  const pdf = (await page.pdf({ format: "A6" })).toString("latin1");
  expect(pdf.match(/\/Type ?\/Page\b/g)).toHaveLength(2);
  expect(complaints).toEqual([]);
  await context.close();
});

test("label: holds the address; staff get from it to 格口管理, also while the page is off", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/cupboard/index");
  const row = page.getByRole("row", { name: /1 号柜/ }).first();
  const sn = /[A-Z0-9]{8,}/.exec((await row.textContent()) ?? "")?.[0] ?? "";
  await row.getByRole("button", { name: /^更多操作/ }).click();
  await page.getByRole("menuitem", { name: "二维码" }).click();
  const label = page.getByRole("img", { name: new RegExp(`^二维码：.* ${sn}$`) });
  await label.waitFor();
  const code = qrcode(0, "M");
  code.addData(`${demo.server.origin}/m/c/${sn}`);
  code.make();
  const places = Array.from({ length: code.getModuleCount() }, (_, place) => place);
  const expected = places.map((row) => places.map((column) => code.isDark(row, column)));
  expect(await page.evaluate(`(${modulesDrawn})(${places.length})`)).toEqual(expected);
  expect(await findViolations(page)).toEqual([]);

  const board = async () => {
    await page.goto(`/m/c/${sn}`);
    await page.getByRole("link", { name: "工作人员入口" }).click();
    await page.waitForURL("**/cupboard/blockManage?id=*");
    await page.getByRole("gridcell").first().waitFor();
  };
  await board();
  const { data: setting } = await callApiAs(page, webPageContract.setting, {});
  const turn = (isOn: boolean, editVersion: number) =>
    callApiAs(page, webPageContract.saveSetting, { body: { isOn, editVersion } });
  await turn(false, setting.editVersion);
  await board();
  await turn(true, setting.editVersion + 1);

  const stranger = await demo.visit();
  await stranger.page.goto(`/m/c/${sn}`);
  await stranger.page.getByRole("link", { name: "工作人员入口" }).click();
  await stranger.page.waitForURL("**/login?redirect=*");
  expect([...complaints, ...stranger.complaints]).toEqual([]);
  await stranger.context.close();
  await context.close();
});

/** Runs in the browser: which modules of a code with `count` to a row are dark on the label. */
const modulesDrawn = `(count) => {
  const canvas = document.querySelector("canvas.cabinet-qr");
  const size = Math.floor(canvas.width / (count + 8));
  const left = Math.floor((canvas.width - count * size) / 2);
  const pen = canvas.getContext("2d");
  const places = [...Array(count).keys()];
  const at = (place) => left + place * size + size / 2;
  const isDark = (row, column) => pen.getImageData(at(column), at(row), 1, 1).data[0] < 128;
  return places.map((row) => places.map((column) => isDark(row, column)));
}`;

test("demo: a visitor finds the code of their sign-in in the inbox, and signs in with it", async () => {
  const { origin } = demo.server;
  const phone = "13800007788";
  const where = { sn: (await visitorsCabinet()).sn };
  const { data: place } = await callApi(origin, appPageContract.page, { query: where });
  expect(place).toMatchObject({ isSmsSignInPossible: true, notice: null });
  const { tenantId } = place;
  const headers = await solvedCaptcha(origin);
  const body = { tenantId, phone };
  const { data: asked } = await callApi(origin, appContract.requestCode, { body, headers });
  const inbox = await fetch(`${origin}/demo/inbox.json?phone=${phone}`);
  const [message] = (await inbox.json()) as { scene: string; text: string }[];
  expect(message?.scene).toBe("登录验证码");
  const [code = ""] = /\d{6}/.exec(message?.text ?? "") ?? [];
  const signedIn = await callApi(origin, appContract.signIn, {
    body: { tenantId, phone, code, requestToken: asked.requestToken },
  });
  expect(signedIn.data.user).toMatchObject({ phone: "138****7788", tenantId });
});

async function visitorsCabinet(): Promise<{ sn: string }> {
  const { context, page } = await demo.visit();
  await storeSession(page, demo.server.account(2, 1));
  const { list } = (await callApiAs(page, webPageContract.stickers, {})).data;
  await context.close();
  return list[0] ?? { sn: "" };
}
