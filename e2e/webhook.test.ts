// A partner: its webhook endpoint from setup to pause, and its application from the key to the revocation.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { authorize, newNonce, OpenApiClient, stringToSign } from "@cabinet/open-api-client";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../tests/support/webhooks.ts";
import { callApiAs } from "./support/api.ts";
import { chooseItem, go, signIn } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const testServer = useWrittenDemo();
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
  await detail(page).getByText("第三方返回错误 · HTTP 401").first().waitFor();
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
  await attempts.getByText("第三方返回错误 · HTTP 503").waitFor();
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
  await page.getByRole("button", { name: "第三方维护" }).click();
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

test("application: gets a key, calls, shows up in the logs, is revoked", async () => {
  const { context, page, complaints } = await testServer.visit();
  await signIn(page, testServer.server.account(2, 1), "/thirdPartApi/set?view=apps");
  await page.getByRole("button", { name: "新增应用" }).click();
  const form = page.getByRole("dialog", { name: "新增应用" });
  await form.getByLabel("应用名称").fill("邻里团购");
  await form.getByLabel("IP 白名单").fill("10.1.2.3/24");
  await form.getByRole("button", { name: "新增", exact: true }).click();
  await form.getByText("网段的主机位应为 0").waitFor();
  await form.getByLabel("IP 白名单").fill("127.0.0.1");
  await form.getByRole("button", { name: "新增", exact: true }).click();
  await form.waitFor({ state: "hidden" });

  const row = page.getByRole("row").filter({
    has: page.getByRole("button", { name: "邻里团购", exact: true }),
  });
  await row.getByText("无密钥").waitFor();
  await row.getByRole("button", { name: "生成密钥" }).click();
  await page
    .getByRole("dialog", { name: "生成密钥" })
    .getByRole("button", { name: "生成", exact: true })
    .click();
  const shown = page.getByRole("dialog", { name: "新密钥（只显示这一次）" });
  await shown.locator("code").last().waitFor();
  const codes = await shown.locator("code").allTextContents();
  const [app = "", kid = "", secret = ""] = codes;
  expect([app, secret]).toEqual([expect.stringMatching(/^app_/), expect.stringMatching(/^cabsk_/)]);
  await shown.getByRole("checkbox", { name: "我已保存密钥" }).check();
  await shown.getByRole("button", { name: "完成" }).click();
  await shown.waitFor({ state: "hidden" });

  const { origin } = testServer.server;
  const client = new OpenApiClient({ origin, app, kid, secret });
  const { data: found } = await callApiAs(page, cabinetContract.list, {
    query: { connectivity: "ONLINE", lifecycle: "ACTIVE", pageSize: 20 },
  });
  let order: Awaited<ReturnType<typeof client.createOrder>> | undefined;
  for (const { sn } of found.list) {
    const { sizes, refusal } = await client.cabinet(sn);
    const free = sizes.find((size) => size.free > 0);
    if (refusal !== null || !free) continue;
    order = await client.createOrder({
      ...{ thirdPartyNo: "LL-20001", cabinetSn: sn, size: free.size },
      recipientPhone: "13800138000",
    });
    break;
  }
  expect(order).toMatchObject({ state: "PENDING", thirdPartyNo: "LL-20001" });
  const thief = new OpenApiClient({ origin, app, kid, secret: "cabsk_guessed", attempts: 1 });
  await expect(thief.whoAmI()).rejects.toMatchObject({ status: 401, code: "PARTNER_UNPROVEN" });

  await go(page, "/thirdPartApi/record?view=calls&outcome=UNPROVEN");
  const refused = page.getByRole("row").filter({ hasText: "邻里团购" });
  await refused.getByText("签名不符").waitFor();
  await refused.getByRole("button").first().click();
  const detail = page.getByRole("dialog", { name: /邻里团购/ });
  await detail.getByText("用“签名调试”比对待签字符串").waitFor();
  await detail.getByRole("list", { name: "待签字符串" }).getByText("/open/v1/app").waitFor();
  await detail.getByRole("link", { name: "用这次调用调试签名" }).click();
  await page.getByText("Authorization 和正文未保存").waitFor();
  await expect.poll(() => page.getByLabel("路径和查询串").inputValue()).toBe("/open/v1/app");

  await go(page, "/thirdPartApi/order?thirdPartyNo=LL-20001");
  const business = page.getByRole("row").filter({ hasText: "LL-20001" });
  await business.getByText("一致").waitFor();
  await business.getByRole("button", { name: "LL-20001" }).click();
  const beside = page.getByRole("dialog", { name: "LL-20001" });
  await beside.getByText("创建订单", { exact: true }).waitFor();
  expect(await page.content()).not.toContain("13800138000");
  await page.keyboard.press("Escape");
  // Closing goes back in the history, which the browser does later.
  await beside.waitFor({ state: "hidden" });

  await go(page, "/thirdPartApi/record?view=debug");
  const request = {
    ...{ method: "GET", host: new URL(origin).host, target: "/open/v1/order?limit=5" },
    ...{ contentType: "", idempotencyKey: "", body: "" },
  };
  const claim = { app, kid, ts: Math.floor(Date.now() / 1000), nonce: newNonce() };
  const right = authorize(request, claim, secret);
  const curl = page.getByLabel("cURL 命令");
  await curl.fill(`curl '${origin}`);
  await page.getByText("不是完整的 cURL 命令").waitFor();
  await curl.fill(`curl '${origin}${request.target}' -H 'Authorization: ${right}'`);
  await expect.poll(() => page.getByLabel("Authorization").inputValue()).toBe(right);
  await page.getByRole("button", { name: "检查签名" }).click();
  await page.getByText("全部相符：这个请求会被接受").waitFor();
  const withoutQuery = authorize({ ...request, target: "/open/v1/order" }, claim, secret);
  await page.getByLabel("Authorization").fill(withoutQuery);
  await page.getByRole("button", { name: "检查签名" }).click();
  await page.getByText("没有签查询串").waitFor();
  const shownText = await page.getByRole("list", { name: "待签字符串" }).textContent();
  for (const line of stringToSign(request, claim).split("\n")) expect(shownText).toContain(line);
  // A pasted header is usually expired: report that together with every other mismatch.
  const old = authorize(
    { ...request, target: "/open/v1/order" },
    { ...claim, ts: claim.ts - 900 },
    secret,
  );
  await page.getByLabel("Authorization").fill(old);
  await page.getByRole("button", { name: "检查签名" }).click();
  await page.getByText("时间相差超过 300 秒", { exact: true }).waitFor();
  await page.getByText("没有签查询串").waitFor();

  await go(page, "/thirdPartApi/set?view=apps&keyword=邻里");
  await row.getByRole("button", { name: "更多操作：邻里团购" }).click();
  await chooseItem(page, `吊销 ${kid}`);
  const revoking = page.getByRole("dialog", { name: "吊销密钥" });
  await revoking.getByText("这是它唯一的有效密钥").waitFor();
  await revoking.getByRole("button", { name: "密钥疑似泄露" }).click();
  await revoking.getByRole("button", { name: "吊销", exact: true }).click();
  await page.getByText(`密钥 ${kid} 已吊销`).waitFor();
  await expect(client.whoAmI()).rejects.toMatchObject({ status: 401 });
  expect(complaints).toEqual([]);
  await context.close();
});
