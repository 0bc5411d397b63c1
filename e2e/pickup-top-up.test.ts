// The web page's wallet outside of WeChat: to WeChat's payment page and back, the money arrives once.
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { afterAll, expect, test } from "vitest";
import { paymentDraft } from "../tests/support/payments.ts";
import { WechatStandIn } from "../tests/support/wechat-pay.ts";
import { callApiAs } from "./support/api.ts";
import { phoneOf, signInByMessage, takeCabinet } from "./support/pickup.ts";
import { useDemo } from "./support/test-server.ts";

const weChat = await new WechatStandIn().open();
afterAll(() => weChat.close());
const demo = useDemo({ env: { WECHAT_PAY_URL: weChat.origin } });

test("top-up in a phone's browser: paid on WeChat's page, and back with the money", async () => {
  const cabinet = await takeCabinet(demo);
  const { operator } = cabinet;
  const { editVersion } = (await callApiAs(operator, paymentContract.setting, {})).data;
  const body = { ...paymentDraft, editVersion };
  expect((await callApiAs(operator, paymentContract.saveSetting, { body })).errMsg).toBe("");

  const { page, complaints } = await demo.visit({ width: 390, height: 844 });
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
