// 网页版: its switch decides what a scanned QR code shows, and the stickers print chosen cabinets alone.
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { appPageContract } from "@cabinet/contract/orders/app/app-page.contract.ts";
import { webPageContract } from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import { expect, test } from "vitest";
import { solvedCaptcha } from "../apps/simulator/src/people/captcha.ts";
import { callApi, callApiAs } from "./support/api.ts";
import { findViolations } from "./support/axe.ts";
import { signIn } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const demo = useDemo();

test("网页版: off and on again, seen by somebody who scans a cabinet's code", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/idConfig/page");
  await page.getByText("已开通", { exact: true }).waitFor();
  expect(await findViolations(page)).toEqual([]);
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
  await rider.page.getByText(/没有开通网页版/).waitFor();

  await page.getByRole("button", { name: "开通网页版" }).click();
  await page.getByText("已开通", { exact: true }).waitFor();
  await scan();
  await rider.page.getByRole("heading", { name: sticker.name }).waitFor();
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
  await expect.poll(() => boxes.count()).toBeLessThan(all);
  const ofStore = await boxes.count();
  await boxes.first().uncheck();
  await page.getByRole("button", { name: `打印 ${ofStore - 1} 张` }).click();

  await page.emulateMedia({ media: "print" });
  const sheet = page.locator(".web-page-sheet > li");
  expect(await sheet.count()).toBe(ofStore - 1);
  await expect.poll(() => sheet.first().isVisible()).toBe(true);
  expect(await sheet.first().textContent()).toContain("扫码存件 · 取件");
  expect(await page.getByRole("button").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

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
  await signIn(page, demo.server.account(2, 1));
  const { list } = (await callApiAs(page, webPageContract.stickers, {})).data;
  await context.close();
  return list[0] ?? { sn: "" };
}
