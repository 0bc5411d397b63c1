// The web page for riders and recipients beside 模拟柜机: deposit, pickup, each way to fail, top-up, all screens.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { PRESS_SECONDS } from "@cabinet/contract/kit/press.rules.ts";
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import { legalTextContract } from "@cabinet/contract/orders/legal-text/legal-text.contract.ts";
import type { Page } from "playwright-core";
import { afterAll, afterEach, expect, test } from "vitest";
import { paymentDraft } from "../tests/support/payments.ts";
import { WechatStandIn } from "../tests/support/wechat-pay.ts";
import { callApi, callApiAs } from "./support/api.ts";
import { findViolations } from "./support/axe.ts";
import {
  appUserOf,
  type Cabinet,
  doorNo,
  openForDeposit,
  phoneOf,
  readCode,
  signInByMessage,
  takeCabinet,
} from "./support/pickup.ts";
import { useDemo } from "./support/test-server.ts";

const weChat = await new WechatStandIn().open();
afterAll(() => weChat.close());
// Before `useDemo`: hooks run from the last to the first, and its own describes the pages of a failed test.
afterEach(() => Promise.all(demo.browser.contexts().map((context) => context.close())));
const demo = useDemo({ env: { WECHAT_PAY_URL: weChat.origin } });
const PHONE = { width: 390, height: 844 };
const OPEN = "号箱门已打开";

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name });

/** A person at the cabinet puts something in or takes it out, and closes the door. */
async function useDoor(
  cabinet: Cabinet,
  no: number,
  content: "PRESENT" | "EMPTY",
  close: "FRONT" | "BACK" = "FRONT",
): Promise<void> {
  await cabinet.at(no, { content });
  await cabinet.at(no, { close });
}

async function fillCode(page: Page, cabinet: Cabinet, recipient: string): Promise<void> {
  await page.goto(`/m/c/${cabinet.sn}/pickup`);
  const code = await readCode(cabinet, { scene: "PICKUP_CODE", phone: recipient });
  // As a message is copied, and as an input method writes digits.
  await page.getByLabel("取件码").fill(`取件码：${code.slice(0, 3)} ${code.slice(3)}\u200b`);
  const wide = [...recipient.slice(-4)].map((digit) => String.fromCharCode(0xff10 + Number(digit)));
  await page.getByLabel("收件人手机号后四位").fill(wide.join(""));
}

/** Orders that the signed-in person of this page has begun. */
async function countOrders(page: Page): Promise<number> {
  const { headers } = await appUserOf(page);
  const query = { page: 1, pageSize: 50 };
  const { data } = await callApi(demo.server.origin, appOrderContract.list, { query, headers });
  return data.total;
}

test("two screens: a parcel from deposit to pickup, paid from the wallet", async () => {
  const cabinet = await takeCabinet(demo);
  await cabinet.setPrice(350);
  const [rider, recipient] = [phoneOf("176"), phoneOf("177")];
  const screen = cabinet.operator;
  await screen.goto(`/cupboard/simulated?id=${cabinet.id}`);
  await screen.getByText("已连接平台").waitFor();

  const { page, complaints } = await demo.visit(PHONE);
  await openForDeposit(page, cabinet, { rider, recipient });
  const no = await doorNo(page, OPEN);
  expect(await findViolations(page)).toEqual([]);
  const drawn = screen.getByRole("button", { name: new RegExp(`^${no} 号格口.*门已开`) });
  await drawn.press("Enter");
  const panel = screen.getByRole("region", { name: "所选格口" });
  await panel.getByRole("button", { name: "放入物品" }).click();
  await panel.getByText("实际有物").waitFor();
  await panel.getByRole("button", { name: "关门" }).click();
  await heading(page, "已存入").waitFor();
  await page.getByText(`${no} 号箱门已关，物品已存入`).waitFor();
  expect(await findViolations(page)).toEqual([]);

  const other = await demo.visit(PHONE);
  await fillCode(other.page, cabinet, recipient);
  await other.page.getByRole("button", { name: "打开箱门" }).click();
  await other.page.getByText("取件需支付 3.50 元").waitFor();
  expect(await findViolations(other.page)).toEqual([]);
  await other.page.getByRole("link", { name: "登录后支付取件" }).click();
  await signInByMessage(other.page, cabinet, recipient);
  await heading(other.page, "取件").waitFor();
  expect(await other.page.getByLabel("取件码").inputValue()).toMatch(/\d{3} \d{3}/);
  await other.page.getByRole("link", { name: `${no} 号格口` }).click();
  await other.page.getByText("余额不足，还差 ¥3.50").waitFor();
  expect(await findViolations(other.page)).toEqual([]);
  const { endUserId, headers } = await appUserOf(other.page);
  await cabinet.desk.recharge(endUserId, 2000);
  await other.page.reload();
  await other.page.getByText("钱包可用 ¥20.00").waitFor();
  await other.page.getByRole("button", { name: "支付 ¥3.50 并打开箱门" }).click();
  expect(await doorNo(other.page, OPEN)).toBe(no);
  await drawn.waitFor();
  await panel.getByRole("button", { name: "取出物品" }).click();
  await panel.getByText("实际无物").waitFor();
  await panel.getByRole("button", { name: "关门" }).click();
  await heading(other.page, "取件完成").waitFor();
  expect(await findViolations(other.page)).toEqual([]);
  const wallet = await callApi(demo.server.origin, appWalletContract.wallet, { headers });
  expect(wallet.data).toMatchObject({ availableFen: 1650, heldFen: 0 });
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test("two recipients at one cabinet at once: each opens the own door", async () => {
  const cabinet = await takeCabinet(demo);
  const { page } = await demo.visit(PHONE);
  const recipients = [phoneOf("178"), phoneOf("179")];
  const nos: number[] = [];
  for (const [nth, recipient] of recipients.entries()) {
    if (nth === 0) await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient });
    else {
      await page.getByRole("link", { name: "再存一件" }).click();
      await page.getByLabel("收件人手机号").fill(recipient);
      await page.getByRole("button", { name: "打开箱门" }).click();
    }
    const no = await doorNo(page, OPEN);
    await useDoor(cabinet, no, "PRESENT");
    await heading(page, "已存入").waitFor();
    nos.push(no);
  }
  const phones = await Promise.all(
    recipients.map(async (recipient) => {
      const visited = await demo.visit(PHONE);
      await fillCode(visited.page, cabinet, recipient);
      return visited.page;
    }),
  );
  await Promise.all(phones.map((phone) => phone.getByRole("button", { name: "打开箱门" }).click()));
  expect(await Promise.all(phones.map((phone) => doorNo(phone, OPEN)))).toEqual(nos);
  await Promise.all(nos.map((no) => useDoor(cabinet, no, "EMPTY")));
  await Promise.all(phones.map((phone) => heading(phone, "取件完成").waitFor()));
});

test("double-sided cabinet: the rider is sent to the back", async () => {
  const cabinet = await takeCabinet(demo, "DOUBLE");
  const recipient = phoneOf("177");
  const { page } = await demo.visit(PHONE);
  await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient });
  const no = await doorNo(page, OPEN);
  await page.getByText("箱门在柜机背面，请到背面").waitFor();
  await useDoor(cabinet, no, "PRESENT", "BACK");
  await heading(page, "已存入").waitFor();
  await fillCode(page, cabinet, recipient);
  await page.getByRole("button", { name: "打开箱门" }).click();
  await doorNo(page, OPEN);
  expect(await page.getByText("背面").count()).toBe(0);
  await useDoor(cabinet, no, "EMPTY");
  await heading(page, "取件完成").waitFor();
});

test("door jammed: the page says so, reports it, and opens again once it is free", async () => {
  const cabinet = await takeCabinet(demo);
  await cabinet.jam(true);
  const { page, complaints } = await demo.visit(PHONE);
  await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient: phoneOf("177") });
  await doorNo(page, "号箱门没有弹开");
  await page.getByText("锁已通电，门没有打开").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "报修" }).click();
  await page.getByLabel("说明").fill("门卡住了，推不动");
  await page.getByLabel("添加照片").setInputFiles({
    name: "door.png",
    mimeType: "image/png",
    buffer: await page.screenshot(),
  });
  await page.getByRole("button", { name: "移除照片 door.png" }).waitFor();
  await page.getByRole("button", { name: "提交" }).click();
  await heading(page, "已报修").waitFor();
  await cabinet.jam(false);
  await page.getByRole("link", { name: "查看" }).click();
  await page.getByRole("button", { name: "再次开门" }).click();
  const no = await doorNo(page, OPEN);
  await useDoor(cabinet, no, "PRESENT");
  await heading(page, "已存入").waitFor();
  expect(complaints).toEqual([]);
});

test("nothing put in: the page says so and cancels without a charge", async () => {
  const cabinet = await takeCabinet(demo);
  const { page } = await demo.visit(PHONE);
  await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient: phoneOf("177") });
  const no = await doorNo(page, OPEN);
  await cabinet.at(no, { close: "FRONT" });
  await heading(page, "没有检测到物品").waitFor();
  await page.getByRole("button", { name: "再次开门" }).click();
  expect(await doorNo(page, OPEN)).toBe(no);
  await cabinet.at(no, { close: "FRONT" });
  await heading(page, "没有检测到物品").waitFor();
  await page.getByRole("button", { name: "取消存件" }).click();
  await heading(page, cabinet.name).waitFor();
  await page.getByRole("link", { name: "包裹" }).click();
  await page.getByText("没有进行中的包裹").waitFor();
});

test("wrong size: the deposit moves to another compartment, with what was typed", async () => {
  const cabinet = await takeCabinet(demo);
  const { page } = await demo.visit(PHONE);
  const recipient = phoneOf("177");
  await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient, size: "小" });
  const no = await doorNo(page, OPEN);
  await page.getByRole("button", { name: "放不下" }).click();
  await heading(page, `请关好 ${no} 号箱门`).waitFor();
  await cabinet.at(no, { close: "FRONT" });
  await heading(page, "存件").waitFor();
  await expect.poll(() => page.getByLabel("收件人手机号").inputValue()).toBe(recipient);
  await page.getByRole("radio", { name: "中" }).check();
  await page.getByRole("button", { name: "打开箱门" }).click();
  const larger = await doorNo(page, OPEN);
  expect(larger).not.toBe(no);
  await useDoor(cabinet, larger, "PRESENT");
  await heading(page, "已存入").waitFor();
});

test("answer lost and page reloaded in the middle: one order, one door, and the page knows where it is", async () => {
  const cabinet = await takeCabinet(demo);
  const { context, page } = await demo.visit(PHONE);
  const keys: (string | undefined)[] = [];
  const before = await cabinet.lastCommand();
  // The request reaches the server; its answer is lost.
  await context.route("**/api/app/v1/order", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    keys.push(route.request().headers()["idempotency-key"]);
    await route.fetch();
    await route.abort();
  });
  await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient: phoneOf("177") });
  await heading(page, "暂未收到柜机结果").waitFor();
  await page.getByText("再试一次不会重复开门").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await context.unroute("**/api/app/v1/order");
  await page.reload();
  const no = await doorNo(page, OPEN);
  expect(new Set(keys).size).toBe(1);
  expect(keys.length).toBeGreaterThan(1);
  expect(await countOrders(page)).toBe(1);
  expect(await cabinet.lastCommand()).toBe(before + 1);
  await page.reload();
  expect(await doorNo(page, OPEN)).toBe(no);
  await page.getByRole("link", { name: "包裹" }).click();
  await page.getByText(`${no} 号格口的操作还没有结束`).click();
  expect(await doorNo(page, OPEN)).toBe(no);
  await useDoor(cabinet, no, "PRESENT");
  await heading(page, "已存入").waitFor();
  await page.reload();
  await heading(page, "已存入").waitFor();
});

test("phone without a network at the press: nothing opens once it is back 15 s later, and the page says so", async () => {
  const cabinet = await takeCabinet(demo);
  const { context, page } = await demo.visit(PHONE);
  const before = await cabinet.lastCommand();
  await context.route("**/api/app/v1/order", (route) => route.abort());
  await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient: phoneOf("177") });
  await heading(page, "暂未收到柜机结果").waitFor();
  await page.waitForTimeout(PRESS_SECONDS * 1_000);
  await context.unroute("**/api/app/v1/order");
  await context.setOffline(true);
  await context.setOffline(false);
  await heading(page, "没有开门").waitFor();
  await page.getByText("操作已过期（超过 15 秒），未执行，请重新操作").waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await countOrders(page)).toBe(0);
  expect(await cabinet.lastCommand()).toBe(before);
});

test("phone offline while the door is open: the page says so, and learns the end when it is back", async () => {
  const cabinet = await takeCabinet(demo);
  const { context, page } = await demo.visit(PHONE);
  await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient: phoneOf("177") });
  const no = await doorNo(page, OPEN);
  await context.setOffline(true);
  await page.getByText("网络中断，以上是最后知道的情况").waitFor();
  await useDoor(cabinet, no, "PRESENT");
  await context.setOffline(false);
  await heading(page, "已存入").waitFor();
});

test("cabinet offline in the middle: the page claims nothing, offers no door, and follows when it is back", async () => {
  const cabinet = await takeCabinet(demo);
  const { page } = await demo.visit(PHONE);
  await openForDeposit(page, cabinet, { rider: phoneOf("176"), recipient: phoneOf("177") });
  const no = await doorNo(page, OPEN);
  await cabinet.change({ hasLine: false });
  await useDoor(cabinet, no, "PRESENT");
  const other = await demo.visit(PHONE);
  await other.page.goto(`/m/c/${cabinet.sn}/pickup`);
  const open = other.page.getByRole("button", { name: "打开箱门" });
  const cut = other.page.getByText("柜机暂时断网，打不开箱门");
  const look = other.page.getByRole("button", { name: "重新检查" });
  await expect
    .poll(async () => {
      if ((await open.count()) > 0) await other.page.reload();
      return cut.count();
    })
    .toBe(1);
  expect(await open.count()).toBe(0);
  expect(await findViolations(other.page)).toEqual([]);
  expect(await heading(page, "已存入").count()).toBe(0);
  await doorNo(page, OPEN);
  await cabinet.change({ hasLine: true });
  await heading(page, "已存入").waitFor();
  await look.click();
  await open.waitFor();
  expect(await cut.count()).toBe(0);
});

test("code under a lost answer: the repeat opens no second time, and a wrong code says so", async () => {
  const cabinet = await takeCabinet(demo);
  const recipient = phoneOf("177");
  const rider = await demo.visit(PHONE);
  await openForDeposit(rider.page, cabinet, { rider: phoneOf("176"), recipient });
  const no = await doorNo(rider.page, OPEN);
  await useDoor(cabinet, no, "PRESENT");
  await heading(rider.page, "已存入").waitFor();

  const { context, page } = await demo.visit(PHONE);
  await fillCode(page, cabinet, recipient);
  const code = await page.getByLabel("取件码").inputValue();
  await page.getByLabel("取件码").fill(code === "000000" ? "000001" : "000000");
  await page.getByRole("button", { name: "打开箱门" }).click();
  await page.getByText("取件码或手机号后四位不正确").waitFor();
  await page.getByLabel("取件码").fill(code);
  let lost = 0;
  const before = await cabinet.lastCommand();
  await context.route("**/api/app/v1/pickup", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "打开箱门" }).click();
  expect(await doorNo(page, OPEN)).toBe(no);
  expect(lost).toBe(2);
  expect(await cabinet.lastCommand()).toBe(before + 1);
  await useDoor(cabinet, no, "EMPTY");
  await heading(page, "取件完成").waitFor();
});

/** Loaded, without a skeleton. */
async function show(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
}

const overflow = (page: Page) =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");

test("price by size: what is shown is what is ordered; a price that changed meanwhile is shown first", async () => {
  const cabinet = await takeCabinet(demo, "SINGLE", true);
  const { operator } = cabinet;
  await cabinet.setPrice(100);
  await operator.goto(`/cupboard/cupboardEdit?id=${cabinet.id}`);
  await operator.getByRole("button", { name: "门店规则" }).click();
  const form = operator.getByRole("dialog", { name: /^门店计费规则/ });
  for (const nth of [1, 2]) {
    await form.getByRole("button", { name: "添加规格或时段价格" }).click();
    await form.getByRole("combobox", { name: `第 ${nth} 行规格` }).click();
    await operator
      .locator(".ant-select-item-option:visible")
      .getByText("大格", { exact: true })
      .click();
  }
  const [first, second] = [1, 2].map((nth) => form.getByRole("group", { name: `第 ${nth} 行` }));
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("第 1 行（大格）与第 2 行（大格）的规格相同").waitFor();
  await second?.getByRole("button", { name: "删除第 2 行" }).click();
  await first?.getByLabel("每次起步价").fill("3");
  expect(await findViolations(operator)).toEqual([]);
  await form.getByRole("button", { name: "保存" }).click();
  await operator.getByText("计费规则已保存").waitFor();

  const { page, complaints } = await demo.visit(PHONE);
  await page.goto(`/m/c/${cabinet.sn}/store`);
  await signInByMessage(page, cabinet, phoneOf("176"));
  await page.getByRole("radio", { name: "小" }).check();
  await page.getByText("起步 1 元；").waitFor();
  await page.getByRole("radio", { name: /^大/ }).check();
  await page.getByText("起步 3 元；").waitFor();
  await cabinet.setPrice(200);
  await page.getByLabel("收件人手机号").fill(phoneOf("177"));
  await page.getByRole("button", { name: "打开箱门" }).click();
  await page.getByText("收费已变为：起步 2 元").waitFor();
  await page.locator(".price").getByText("起步 2 元；").waitFor();
  expect(await countOrders(page)).toBe(0);
  expect(complaints).toEqual([]);
});

test("all screens: no violation, no sideways scrolling, in Chinese, English and with large text", async () => {
  const cabinet = await takeCabinet(demo, "SINGLE", true);
  const { page, complaints } = await demo.visit(PHONE);
  const ofEverybody = [
    "/m/",
    `/m/c/${cabinet.sn}`,
    `/m/c/${cabinet.sn}/pickup`,
    ...["/m/sign-in", "/m/legal/PRIVACY", "/m/me"],
  ];
  const ofPeople = [
    ...[`/m/c/${cabinet.sn}/store`, "/m/parcels", "/m/wallet", "/m/cards"],
    ...["/m/notices", "/m/help", "/m/report", "/m/close", "/m/nowhere"],
  ];
  for (const address of ofEverybody) {
    await show(page, address);
    expect([address, await findViolations(page)]).toEqual([address, []]);
  }
  await show(page, `/m/c/${cabinet.sn}`);
  await page.getByRole("link", { name: /^存件 / }).click();
  await signInByMessage(page, cabinet, phoneOf("176"));
  for (const address of ofPeople) {
    await show(page, address);
    expect([address, await findViolations(page)]).toEqual([address, []]);
  }
  await page.getByRole("button", { name: "English" }).click();
  for (const address of [...ofEverybody, ...ofPeople]) {
    await show(page, address);
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    expect([address, await overflow(page)]).toEqual([address, 0]);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect([address, "large", await overflow(page)]).toEqual([address, "large", 0]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await show(page, `/m/c/${cabinet.sn}`);
  expect(await findViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("consent: without it no code is sent; a new version comes before the next deposit alone", async () => {
  const cabinet = await takeCabinet(demo, "SINGLE", true);
  const { page, complaints } = await demo.visit(PHONE);
  await show(page, `/m/c/${cabinet.sn}/store`);
  await page.getByLabel("手机号").fill("13800000000");
  await page.getByRole("button", { name: "获取验证码" }).click();
  await page.getByText("请先阅读并同意协议").waitFor();
  await page.getByRole("button", { name: "《隐私政策》" }).click();
  await page.getByText("一、收集的信息").waitFor();
  await page.getByRole("button", { name: "返回" }).click();
  expect(await page.getByLabel("手机号").inputValue()).toBe("13800000000");
  await signInByMessage(page, cabinet, phoneOf("176"));
  await heading(page, "存件").waitFor();

  const { data } = await callApiAs(cabinet.operator, legalTextContract.list, { query: {} });
  const editVersion = data.find(({ kind }) => kind === "PRIVACY")?.version ?? 0;
  const body = { kind: "PRIVACY" as const, body: "新的隐私政策", editVersion };
  expect((await callApiAs(cabinet.operator, legalTextContract.publish, { body })).errMsg).toBe("");
  await show(page, `/m/c/${cabinet.sn}/pickup`);
  await page.getByLabel("取件码").waitFor();
  await show(page, `/m/c/${cabinet.sn}/store`);
  await page.getByText("新的隐私政策").waitFor();
  expect(await page.getByText("一、服务内容").count()).toBe(0);
  await page.getByRole("button", { name: "同意并继续" }).click();
  await heading(page, "存件").waitFor();
  expect(complaints).toEqual([]);
});

test("own account: its data leaves as a file, and closing it signs out", async () => {
  const cabinet = await takeCabinet(demo, "SINGLE", true);
  const { page, complaints } = await demo.visit(PHONE);
  const phone = phoneOf("176");
  await show(page, `/m/c/${cabinet.sn}`);
  await page.getByRole("link", { name: "我的" }).click();
  await page.getByRole("link", { name: "登录" }).click();
  await signInByMessage(page, cabinet, phone);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "下载我的数据" }).click(),
  ]);
  const data = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(data).toMatchObject({ wallet: { availableFen: 0 }, parcels: [], journals: [] });
  expect(data.account.phone).toBe(`${phone.slice(0, 3)}****${phone.slice(7)}`);
  await page.getByRole("link", { name: "注销账号" }).click();
  await page.getByText("订单和资金记录，依法保存").waitFor();
  await page.getByRole("button", { name: "确认注销" }).click();
  await heading(page, "账号已注销").waitFor();
  expect(await page.evaluate("localStorage.getItem('pickup:sessions')")).toBe("{}");
  expect(complaints).toEqual([]);
});

test("entry by number: the typed number of the cabinet leads to it", async () => {
  const cabinet = await takeCabinet(demo, "SINGLE", true);
  const { page } = await demo.visit(PHONE);
  await show(page, "/m/");
  await page.getByLabel("柜机编号").fill("1");
  await page.keyboard.press("Enter");
  await page.getByText("请核对柜机上的编号").waitFor();
  await page
    .getByLabel("柜机编号")
    .fill(`编号：${cabinet.sn.slice(0, 4)}–${cabinet.sn.slice(4).toLowerCase()}\u200b`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: cabinet.name }).waitFor();
  await show(page, "/m/c/NOBODY0001");
  await page.getByText("没有找到这台柜机").waitFor();
});

test("weight: all scripts and styles take at most 60 kB compressed", async () => {
  const folder = path.join(import.meta.dirname, "../apps/pickup/dist");
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(js|css|html)$/.test(name),
  );
  const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  const bytes = contents.reduce((sum, content) => sum + brotliCompressSync(content).length, 0);
  expect(names.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThan(60_000);
});

test("top-up in a phone's browser: paid on WeChat's page, and back with the money", async () => {
  const cabinet = await takeCabinet(demo, "SINGLE", true);
  const { operator } = cabinet;
  const { editVersion } = (await callApiAs(operator, paymentContract.setting, {})).data;
  const body = { ...paymentDraft, editVersion };
  expect((await callApiAs(operator, paymentContract.saveSetting, { body })).errMsg).toBe("");

  const { page, complaints } = await demo.visit(PHONE);
  const referrers: (string | undefined)[] = [];
  await page.route("https://wx.tenpay.com/**", async (route) => {
    const request = route.request();
    referrers.push(await request.headerValue("referer").then((value) => value ?? undefined));
    const [order] = [...weChat.orders.values()];
    const { body, headers } = weChat.pay(order?.outTradeNo ?? "");
    const url = `${demo.server.origin}/wechat-pay/v1/notice/2`;
    expect((await fetch(url, { method: "POST", body, headers })).status).toBe(204);
    const back = new URL(request.url()).searchParams.get("redirect_url") ?? "";
    await route.fulfill({
      contentType: "text/html",
      body: `<meta http-equiv="refresh" content="0; url=${back}">`,
    });
  });
  await page.goto(`/m/c/${cabinet.sn}`);
  await page.getByRole("link", { name: /^存件 / }).waitFor();
  await page.goto("/m/wallet");
  await signInByMessage(page, cabinet, phoneOf("176"));
  await page.getByLabel("充值金额（元）").fill("20");
  await page.getByRole("button", { name: "微信支付" }).click();
  await page.getByText("已到账").waitFor();
  await page.locator(".balance strong").getByText("¥20.00").waitFor();
  expect(weChat.asked).toContain("POST /v3/pay/transactions/h5");
  expect(referrers).toEqual([`${demo.server.origin}/`]);
  await page.reload();
  await page.locator(".balance strong").getByText("¥20.00").waitFor();
  expect(complaints).toEqual([]);
});
