// 接口应用, 第三方调用, 业务订单 and 签名调试 in Chromium, with a third party that really calls.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { authorize, newNonce, OpenApiClient, stringToSign } from "@cabinet/open-api-client";
import { expect, test } from "vitest";
import { callApiAs } from "./support/api.ts";
import { chooseItem, go, signIn } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const demo = useDemo();

test("application: gets a key, calls, shows up in the logs, is revoked", async () => {
  const { context, page, complaints } = await demo.visit();
  await signIn(page, demo.server.account(2, 1), "/thirdPartApi/set?view=apps");
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

  const { origin } = demo.server;
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
