// Orders in the console: filter, timeline, opening, extension, refund, exception.
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { PRESS_HEADER, PRESS_SECONDS } from "@cabinet/contract/kit/press.rules.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { owedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { chooseItem, signIn, storeSession } from "./support/browser.ts";
import { findStoredOrder } from "./support/stored-order.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();

async function operatorPage() {
  const visit = await demo.visit();
  await storeSession(visit.page, demo.server.account(2, 1));
  return visit;
}

const rowOf = (page: Page, order: { id: number }) =>
  page.getByRole("row").filter({ hasText: String(order.id) });

/** Chooses an action under 更多 of the only row. */
async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole("button", { name: /^更多操作/ }).click();
  await chooseItem(page, action);
}

test("order: found by number, opened for pickup, the opening appears in the timeline", async () => {
  const { context, page, complaints } = await operatorPage();
  const order = await findStoredOrder(page);
  await page.goto("/cupboardRun/rider/order?phone=139");
  await page.getByText("应为完整的手机号或后四位").first().waitFor();
  await page.goto("/cupboardRun/rider/order");
  const phone = page.getByRole("textbox", { name: "手机号" });
  const first = page.getByRole("textbox").first();
  await expect.poll(() => first.getAttribute("id")).toBe(await phone.getAttribute("id"));
  await page.getByLabel("订单号").fill(String(order.id));
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL(`**/rider/order?orderNo=${order.id}`);
  await rowOf(page, order).getByText("待取件").waitFor();
  await page.getByText("共 1 条").waitFor();

  await page.getByRole("button", { name: String(order.id), exact: true }).click();
  const drawer = page.getByRole("dialog", { name: `订单 ${order.id}` });
  const { cabinetName, compartmentNo, recipient } = order;
  const place = `${cabinetName} ${compartmentNo} 号`;
  await drawer.getByText(`${place} · ${recipient.name} ${recipient.phone} · 待取件`).waitFor();
  await drawer.getByText("物品已存入").waitFor();
  for (const section of ["费用", "处理记录", "用户信息"]) {
    await drawer.getByRole("heading", { name: section }).waitFor();
  }
  await expect.poll(() => drawer.getByText(order.recipient.phone).count()).toBeGreaterThan(0);
  await drawer.getByRole("button", { name: "查看完整手机号" }).click();
  await chooseItem(page, "处理投诉");
  await drawer
    .getByRole("link", { name: /^1\d{10}$/ })
    .first()
    .waitFor();

  await drawer.getByRole("button", { name: "开门", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: `开门：订单 ${order.id}` });
  await expect.poll(() => dialog.getByRole("radio", { name: /取件/ }).isChecked()).toBe(true);
  await dialog.getByRole("textbox").fill("用户来电，忘记取件码");
  const sent = page.waitForRequest((request) => request.url().endsWith(`/${order.id}/open`));
  await dialog.getByRole("button", { name: "开门", exact: true }).click();
  const pressedAt = Number((await sent).headers()[PRESS_HEADER]);
  expect(Math.abs(Date.now() - pressedAt)).toBeLessThan(PRESS_SECONDS * 1_000);
  await dialog.getByText("已开门", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "关闭" }).last().click();
  await drawer.getByText(`取件开门：${order.compartmentNo} 号格口`).first().waitFor();
  await drawer.getByText("用户来电，忘记取件码").first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("开门 dialog: a refusal fetches the order again; choices end with the dialog", async () => {
  const { context, page } = await operatorPage();
  const order = await findStoredOrder(page);
  let isInDoubt = false;
  const path = urlPath(orderContract.get).replace("{id}", String(order.id));
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const { data, ...envelope } = await response.json();
    const owed = { ...data, priceFen: data.priceFen + 300 };
    await route.fulfill({ response, json: { ...envelope, data: { ...owed, isInDoubt } } });
  });
  await page.route(`**${path}/open`, (route) => {
    isInDoubt = true;
    return route.fulfill({ json: { code: 1, data: null, errMsg: "上一次开门的结果还不清楚" } });
  });
  await page.goto(`/cupboardRun/rider/order?orderNo=${order.id}`);
  const dialog = page.getByRole("dialog", { name: `开门：订单 ${order.id}` });
  const seen = dialog.getByLabel("已现场查看，再开一次");
  const waive = dialog.getByLabel("免除待付费用");
  const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
  const open = () => rowOf(page, order).getByRole("button", { name: "开门", exact: true }).click();
  await open();
  await waive.check();
  await dialog.getByRole("textbox").fill("用户来电，忘记取件码");
  await press("开门");
  await dialog.getByText("上一次开门的结果还不清楚").waitFor();
  await seen.check();
  expect(await waive.isChecked()).toBe(true);
  await press("取消");
  await dialog.waitFor({ state: "hidden" });
  await open();
  await seen.waitFor();
  expect([await seen.isChecked(), await waive.isChecked()]).toEqual([false, false]);
  await context.close();
});

test("refund: partial, never above the paid amount, confirmed, shown in the timeline", async () => {
  const { context, page, complaints } = await operatorPage();
  const query = { side: "DOUBLE", payStatus: "PAID" };
  const [order] = (await callApiAs(page, orderContract.list, { query })).data.list;
  if (!order) throw new Error("nobody has paid for an order");
  await page.goto(`/userApplet/rider/order?orderNo=${order.id}`);
  await rowOf(page, order).getByRole("button", { name: "退款", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `退款：订单 ${order.id}` });
  const amount = dialog.getByLabel("退款金额");
  await amount.fill("9999");
  await dialog.getByLabel("原因").fill("箱门故障，补偿用户");
  await dialog.getByRole("button", { name: "退款" }).click();
  await dialog.getByText("退款金额不能超过").waitFor();
  await dialog.getByRole("button", { name: "全额" }).click();
  const all = Number(await amount.inputValue());
  await dialog.getByRole("button", { name: "一半" }).click();
  expect(Number(await amount.inputValue())).toBe(Math.floor(all * 50) / 100);
  await dialog.getByRole("button", { name: "重复扣费" }).click();
  expect(await dialog.getByLabel("原因").inputValue()).toBe("箱门故障，补偿用户，重复扣费");
  await dialog.getByLabel("原因").fill("箱门故障，补偿用户");
  await amount.fill("0.50");
  await dialog.getByRole("button", { name: "退款" }).click();
  const sure = page.getByRole("dialog", { name: "确认退款 ¥0.50？" });
  await sure.getByRole("button", { name: "退款 ¥0.50" }).click();
  await dialog.waitFor({ state: "hidden" });
  await rowOf(page, order).getByText("部分退款").waitFor();
  await page.getByRole("button", { name: String(order.id), exact: true }).click();
  const drawer = page.getByRole("dialog", { name: `订单 ${order.id}` });
  const refund = drawer.getByRole("listitem").filter({ hasText: "订单退款" });
  await refund.getByText("-¥0.50").waitFor();
  await refund.getByText("箱门故障，补偿用户").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("overdue order: can be extended; another one becomes an exception by 转故障", async () => {
  const { context, page, complaints } = await operatorPage();
  // Single-sided: of the demo's double-sided orders, hardly any is overdue in the morning.
  const query = { side: "SINGLE", state: "OVERDUE" };
  const [order, other] = (await callApiAs(page, orderContract.list, { query })).data.list;
  if (!order || !other) throw new Error("fewer than two orders are overdue");
  await page.goto(`/cupboardRun/rider/order?orderNo=${order.id}`);
  await choose(page, "延长");
  const extending = page.getByRole("dialog", { name: `延长存放：订单 ${order.id}` });
  await extending.getByLabel("原因").fill("取件人出差，已电话确认");
  await extending.getByRole("button", { name: "延长" }).click();
  await rowOf(page, order).getByText("待取件").waitFor();

  await page.goto(`/cupboardRun/rider/order?orderNo=${other.id}`);
  await choose(page, "转故障");
  const failing = page.getByRole("dialog", { name: `转故障：订单 ${other.id}` });
  await failing.getByLabel("故障类型").click();
  await page.getByTitle("开门失败").click();
  await failing.getByLabel("情况说明").fill("用户反映箱门打不开");
  await failing.getByRole("button", { name: "转故障" }).click();
  await rowOf(page, other).getByText("异常").waitFor();
  await page.getByRole("button", { name: String(other.id), exact: true }).click();
  await page.getByText("异常：用户反映箱门打不开").waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("pickup code: read out from its message for a reason; a code that only WeChat carried is offered anew", async () => {
  const { context, page, complaints } = await operatorPage();
  const order = await findStoredOrder(page);
  await page.goto(`/cupboardRun/rider/order?orderNo=${order.id}`);
  await choose(page, "查看取件码");
  const dialog = page.getByRole("dialog", { name: `查看取件码：订单 ${order.id}` });
  const confirm = dialog.getByRole("button", { name: "查看取件码" });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "用户忘记取件码，已核实身份" }).click();
  await confirm.click();
  await dialog.getByText(/^\d{6}$/).waitFor();
  await dialog.getByRole("button", { name: "关闭" }).last().click();
  expect(complaints).toEqual([]);

  const path = urlPath(orderContract.showCode).replace("{id}", String(order.id));
  await page.route(`**${path}`, (route) =>
    route.fulfill({ json: { code: 0, data: { code: null }, errMsg: "" } }),
  );
  await choose(page, "查看取件码");
  await dialog.getByRole("button", { name: "用户忘记取件码，已核实身份" }).click();
  await confirm.click();
  await dialog.getByRole("button", { name: "重发取件码" }).click();
  const resending = page.getByRole("dialog", { name: `重发取件码：订单 ${order.id}` });
  await resending.getByText("将生成新的取件码").waitFor();
  expect(await resending.getByRole("textbox").inputValue()).toBe("");
  await context.close();
});

test("complete: charges what is typed or chosen; the sensor's refusal keeps the input", async () => {
  const { context, page } = await operatorPage();
  const query = { side: "SINGLE", state: "OVERDUE", pageSize: 100 };
  const { data } = await callApiAs(page, orderContract.list, { query });
  const order = data.list.find((one) => owedFen(one) > 0);
  if (!order) throw new Error("nobody owes anything for an overdue order");
  const path = urlPath(orderActionContract.complete).replace("{id}", String(order.id));
  await page.route(`**${path}`, (route) =>
    route.fulfill({ json: { code: 1, data: null, errMsg: "传感器仍检测到物品" } }),
  );
  await page.goto(`/cupboardRun/rider/order?orderNo=${order.id}`);
  await choose(page, "强制完成");
  const dialog = page.getByRole("dialog", { name: `强制完成：订单 ${order.id}` });
  const amount = dialog.getByLabel("收取金额");
  const submit = dialog.getByRole("button", { name: "物品已取出，强制完成" });
  await dialog.getByRole("button", { name: "用户电话确认已取件" }).click();
  await submit.click();
  await dialog.getByText("收取金额不能为空").waitFor();
  await amount.fill("9999");
  await submit.click();
  await dialog.getByText("收取金额不能超过").waitFor();
  await dialog.getByRole("button", { name: "免收" }).click();
  const sent = page.waitForRequest((request) => request.url().endsWith(path));
  await submit.click();
  expect((await sent).postDataJSON()).toEqual({ chargeFen: 0, reason: "用户电话确认已取件" });
  await dialog.getByText("传感器仍检测到物品").last().waitFor();
  expect(await amount.inputValue()).toBe("0");
  await context.close();
});

test("recipient: a wrong phone is corrected, typed twice; the former and the new code are in the timeline", async () => {
  const { context, page, complaints } = await operatorPage();
  const order = await findStoredOrder(page);
  await page.goto(`/cupboardRun/rider/order?orderNo=${order.id}`);
  await choose(page, "更正手机号");
  const dialog = page.getByRole("dialog", { name: `更正手机号：订单 ${order.id}` });
  await dialog.getByLabel("新手机号").fill("139 0571 8866");
  await dialog.getByLabel("再次输入").fill("13905718867");
  await dialog.getByRole("button", { name: "存件人填错号码" }).click();
  await dialog.getByRole("button", { name: "更正手机号" }).click();
  await dialog.getByText("两次输入的手机号不一致").waitFor();
  await dialog.getByLabel("再次输入").fill("13905718866");
  await dialog.getByRole("button", { name: "更正手机号" }).click();
  await dialog.waitFor({ state: "hidden" });
  await rowOf(page, order).getByText("139****8866").waitFor();
  await page.getByRole("button", { name: String(order.id), exact: true }).click();
  const drawer = page.getByRole("dialog", { name: `订单 ${order.id}` });
  const entry = drawer.getByRole("listitem");
  await entry
    .filter({ hasText: "更正取件人" })
    .getByText(`${order.recipient.phone} → 139****8866，存件人填错号码`)
    .waitFor();
  await entry.filter({ hasText: "短信：取件人更正" }).first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("maintenance staff: see orders and may only open doors", async () => {
  const { context, page } = await demo.visit();
  await signIn(page, demo.server.account(2, 2), "/cupboardRun/rider/order?state=STORED");
  const open = page.getByRole("row").getByRole("button", { name: "开门", exact: true });
  await open.first().waitFor();
  expect(await page.getByRole("button", { name: /^更多操作/ }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "重发取件码" }).count()).toBe(0);
  await context.close();
});
