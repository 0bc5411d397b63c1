// 回调: endpoint setup, signed test and probe, retry after 503, replay, pause.
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../tests/support/webhooks.ts";
import { callApiAs } from "./support/api.ts";
import { chooseItem, signIn } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const testServer = useDemo({ env: { CALLBACK_LOOPBACK: "on" } });
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.close());

async function act(page: Page, name: string, action: string) {
  await page.getByRole("button", { name: `更多操作：${name}` }).click();
  await chooseItem(page, action);
}
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
/** Its title names the event as soon as the list has the row. */
const detail = (page: Page) => page.getByRole("dialog").filter({ hasText: "概要" });

test("webhook endpoint: created, tested, probed, notified of an order, paused", async () => {
  const { context, page, complaints } = await testServer.visit();
  await signIn(page, testServer.server.account(2, 1), "/thirdPartApi/set");
  await page.getByRole("button", { name: "新增回调地址" }).click();
  await page.getByLabel("名称", { exact: true }).fill("演练接收方");
  await page.getByPlaceholder("https://example.com/callback").fill("http://10.0.0.8/callback");
  await page.getByRole("checkbox", { name: /^故障 ?\d/ }).check();
  await page.getByRole("button", { name: "保存", exact: true }).click();
  await page.getByText("回调地址须以 https:// 开头").waitFor();
  await expect.poll(() => page.getByLabel("名称", { exact: true }).inputValue()).toBe("演练接收方");
  await page.getByPlaceholder("https://example.com/callback").fill(receiver.url);
  await page.getByRole("button", { name: "保存", exact: true }).click();
  const shown = dialog(page, "新密钥（只显示这一次）");
  const secret = (await shown.locator("code").textContent())?.trim() ?? "";
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await expect.poll(() => shown.getByRole("button", { name: "完成" }).isDisabled()).toBe(true);
  await shown.getByLabel("我已保存密钥").check();
  await shown.getByRole("button", { name: "完成" }).click();

  // Test delivery: correctly signed and listed in the record.
  const row = page.getByRole("row").filter({ hasText: "演练接收方" });
  await row.getByRole("button", { name: "测试发送" }).click();
  await page.getByRole("button", { name: "发送", exact: true }).click();
  await page.waitForURL(/\/thirdPartApi\/record\?open=\d+/);
  const drawer = detail(page);
  await drawer.getByText("已送达 · HTTP 204").first().waitFor();
  // Events of the demo may arrive at any time.
  const sent = receiver.received.find(({ body }) => body.includes("callback.test"));
  const { headers, body } = sent ?? { headers: {}, body: "" };
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "callback.test",
    tenantSeq: 0,
  });
  await drawer.getByRole("region", { name: "签名原文" }).getByText(`${sent?.id}.`).waitFor();
  expect(await page.content()).not.toContain(secret);

  // Probe: a receiver that verifies signatures refuses it.
  receiver.answer = (response, { headers, body }) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end("bad signature");
    }
  };
  await page.goto("/thirdPartApi/set");
  await act(page, "演练接收方", "错误签名测试");
  await page.getByRole("button", { name: "测试", exact: true }).click();
  await detail(page).getByText("对方返回错误 · HTTP 401").first().waitFor();
  await page.goto("/thirdPartApi/set");
  await page.getByRole("button", { name: "演练接收方", exact: true }).click();
  await page.getByRole("dialog", { name: "演练接收方" }).getByText("已拒绝错误签名").waitFor();
  await page.keyboard.press("Escape");

  // Order event: the first delivery attempt fails with 503.
  let isDown = true;
  receiver.answer = (response, { body }) => {
    const isRefused = isDown && body.includes("order.extended");
    if (isRefused) isDown = false;
    response.writeHead(isRefused ? 503 : 204).end();
  };
  const orderId = await extendAnOrder(page);
  await page.goto(`/thirdPartApi/record?orderId=${orderId}&type=order.extended`);
  const waiting = page
    .getByRole("row")
    .filter({ hasText: "已延长存放" })
    .filter({ hasText: "演练接收方" });
  // The second attempt follows automatically after five seconds and is shown live.
  await waiting.getByText("已送达", { exact: true }).waitFor();
  const deliveries = receiver.received.filter(({ body }) => body.includes("order.extended"));
  expect(deliveries.map(({ id }) => id)).toEqual([deliveries[0]?.id, deliveries[0]?.id]);
  await waiting.getByRole("button").first().click();
  const attempts = page.getByRole("dialog").filter({ hasText: "请求记录（2 次）" });
  await attempts.getByText("对方返回错误 · HTTP 503").waitFor();
  await page.keyboard.press("Escape");
  await waiting.getByRole("button", { name: "重新推送" }).click();
  await dialog(page, "重新推送回调").getByRole("button", { name: "重新推送", exact: true }).click();
  await page.getByText("已排队发送").waitFor();
  await receiver.until((all) => all.filter(({ id }) => id === deliveries[0]?.id).length === 3);

  // Replay preview, then pause with a reason.
  await page.goto("/thirdPartApi/set");
  await act(page, "演练接收方", "按时间段重新推送");
  const replay = dialog(page, "按时间段重新推送：演练接收方");
  // "Missed" counts events from before the endpoint existed; "all" adds the delivered ones.
  const plan = replay.getByRole("status");
  const planned = async () => Number((await plan.locator("b").textContent())?.replace(/,/g, ""));
  await plan.getByText("将发送").waitFor();
  const missed = await planned();
  await replay.getByRole("radio", { name: "全部重新发送" }).check();
  await expect.poll(planned).toBeGreaterThan(missed);
  await plan.getByText("已延长存放").waitFor();
  await replay.getByRole("button", { name: "取消" }).click();
  await page.getByRole("button", { name: "放弃" }).click();
  await act(page, "演练接收方", "停用");
  await page.getByRole("button", { name: "对方维护" }).click();
  await dialog(page, "停用回调地址").getByRole("button", { name: "停用", exact: true }).click();
  await row.getByText("已停用").waitFor();

  // The demo's receiver accepts valid signatures only.
  const demoReceiver = "顺路快递";
  await page
    .getByRole("row")
    .filter({ hasText: demoReceiver })
    .first()
    .getByRole("button", { name: "测试发送" })
    .click();
  await page.getByRole("button", { name: "发送", exact: true }).click();
  await detail(page).getByText("已送达 · HTTP 200").first().waitFor();
  await page.goto("/thirdPartApi/set");
  await act(page, demoReceiver, "错误签名测试");
  await page.getByRole("button", { name: "测试", exact: true }).click();
  await detail(page).getByText("已拒绝错误签名").waitFor();

  // Deliveries to a paused endpoint cannot be replayed.
  await page.goto(`/thirdPartApi/record?orderId=${orderId}&type=order.extended`);
  const again = waiting.getByRole("button", { name: "重新推送" });
  await expect.poll(() => again.getAttribute("aria-disabled")).toBe("true");
  expect(complaints).toEqual([]);
  await context.close();
});

/** Extends a stored order, which publishes `order.extended`; returns its id. */
async function extendAnOrder(page: Page): Promise<number> {
  const query = { side: "SINGLE", state: "STORED", page: 1, pageSize: 1 };
  const { data } = await callApiAs(page, orderContract.list, { query });
  const id = data.list[0]?.id ?? 0;
  const body = { hours: 2, reason: "取件人出差" };
  const reply = await callApiAs(page, orderActionContract.extend, { params: { id }, body });
  expect(reply.errMsg).toBe("");
  return id;
}
