// 小程序配置 with message push and 支付配置: form, verification by real pushes, reminders on home.
import { expect, test } from "vitest";
import { makeIdentity } from "../tests/support/certificate.ts";
import { pushOf } from "../tests/support/message-push.ts";
import { miniProgramDraft } from "../tests/support/mini-programs.ts";
import { storeSession } from "./support/browser.ts";
import { useWrittenDemo } from "./support/test-server.ts";

const demo = useWrittenDemo();
const { appId, secret } = miniProgramDraft;

async function operatorPage() {
  const visited = await demo.visit();
  await storeSession(visited.page, demo.server.account(2, 1));
  return visited;
}

/** Tenant without a configuration; platform staff set it up. */
const NEW_TENANT = 4;

async function staffPage() {
  const visited = await demo.visit();
  await storeSession(visited.page, demo.server.account(1, 0));
  return visited;
}

test("message push: generated secrets, WeChat's verification, errors on the page", async () => {
  const { context, page, complaints } = await staffPage();
  await page.goto(`/idConfig/wechat?tenantId=${NEW_TENANT}`);
  await page.getByRole("button", { name: "填写配置" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("小程序 AppID").fill(appId);
  await form.getByLabel("AppSecret").fill(secret);
  await form.getByLabel("消息加密方式").click();
  await page.getByTitle("安全模式（推荐）").click();
  const save = form.getByRole("button", { name: "保存并验证" });
  await save.click();
  await form.getByText("消息加密密钥 EncodingAESKey不能为空").waitFor();
  for (const button of await form.getByRole("button", { name: /^生\s?成$/ }).all()) {
    await button.click();
  }
  const token = await form.getByLabel("令牌 Token").inputValue();
  const key = await form.getByLabel("消息加密密钥 EncodingAESKey").inputValue();
  expect([token.length, key.length]).toEqual([32, 43]);
  await save.click();
  await form.waitFor({ state: "hidden" });
  await page.getByText("等待微信验证").waitFor();

  const address = new URL(`/wechat/v1/push/${NEW_TENANT}`, demo.server.origin);
  const push = async (made: ReturnType<typeof pushOf>, method: "GET" | "POST") => {
    const query = new URLSearchParams({ ...made.query, echostr: "8127813673" });
    const body = method === "POST" ? made.body : null;
    const reply = await fetch(`${address}?${query}`, { method, body });
    return [reply.status, await reply.text()];
  };
  const question = pushOf("{}", { token, key: null, appId });
  expect(await push(question, "GET")).toEqual([200, "8127813673"]);
  await page.reload();
  await page.getByText("微信已验证推送地址").waitFor();
  const event = { FromUserName: "o-rider", MsgType: "event", Event: "subscribe_msg_popup_event" };
  const sealed = pushOf(JSON.stringify(event), { token, key, appId });
  expect(await push(sealed, "POST")).toEqual([200, "success"]);
  await page.reload();
  await page.getByText("最近收到：").waitFor();

  expect(await push(pushOf("{}", { token: "other", key: null, appId }), "GET")).toEqual([
    401,
    "fail",
  ]);
  await page.goto(`/dashboard?tenantId=${NEW_TENANT}`);
  await page.getByRole("link", { name: "微信的消息推送没有被接受" }).click();
  await page.getByText(/签名不正确：请核对小程序后台/).waitFor();
  // Saved secrets are never sent back to the browser.
  await page.getByRole("button", { name: "修改", exact: true }).click();
  await expect.poll(() => form.getByLabel("令牌 Token").inputValue()).toBe("");
  expect(complaints).toEqual([]);
  await context.close();
});

test("payment settings: an expiring certificate is shown on the page and on home", async () => {
  const { context, page, complaints } = await operatorPage();
  const merchant = makeIdentity(0x53, 20);
  await page.goto("/idConfig/pay");
  await page.getByText("配置未经验证").waitFor();
  await page.getByRole("button", { name: "修改", exact: true }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("商户号").fill("1900000001");
  await form.getByLabel("小程序 AppID").fill(appId);
  await form.getByLabel("证书（apiclient_cert.pem）").fill(merchant.certificate);
  await form.getByLabel("私钥（apiclient_key.pem）").fill(makeIdentity(0x54).privatePem);
  await form.getByLabel("APIv3 密钥").fill(secret);
  await form.getByLabel("公钥 ID").fill("PUB_KEY_ID_0119000000012024");
  await form.getByLabel("公钥（pub_key.pem）").fill(makeIdentity(0x55).publicPem);
  await form.getByLabel("通知域名").fill("https://cabinet.example.com");
  const save = form.getByRole("button", { name: "保存并验证" });
  await save.click();
  await form.getByText("商户 API 证书与私钥不是一对").waitFor();
  await form.getByLabel("私钥（apiclient_key.pem）").fill(merchant.privatePem);
  await save.click();
  await form.waitFor({ state: "hidden" });
  await page.getByText(/，还有 \d+ 天，请尽快更换/).waitFor();
  await page.getByText("https://cabinet.example.com/wechat-pay/v1/notice/2").waitFor();
  await page.goto("/dashboard");
  await page.getByRole("link", { name: /^微信支付证书将于 .* 到期，请更换$/ }).click();
  await page.waitForURL("**/idConfig/pay");
  expect(complaints).toEqual([]);
  await context.close();
});
