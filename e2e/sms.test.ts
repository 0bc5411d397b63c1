// Text messages: credit, carrier settings, a delivered code, a refused message and its reason.
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { solvedCaptcha } from "../apps/simulator/src/people/captcha.ts";
import { carrierAccount, SmsCarrierStandIn } from "../tests/support/sms-carriers.ts";
import { callApi } from "./support/api.ts";
import { storeSession, type Visit } from "./support/browser.ts";
import { useDemo } from "./support/test-server.ts";

const carriers = await new SmsCarrierStandIn().open();
carriers.signs = { 智能存取: true, 禾木智存: true };
afterAll(() => carriers.close());

const demo = useDemo({
  env: { ALIYUN_SMS_URL: carriers.origin, TENCENT_SMS_URL: carriers.origin },
});
let platform: Visit;
let tenant: Visit;
beforeAll(async () => {
  platform = await demo.visit();
  await storeSession(platform.page, demo.server.account(1, 0));
  tenant = await demo.visit();
  await storeSession(tenant.page, demo.server.account(2, 1));
});

async function requestCode(phone: string): Promise<void> {
  const reply = await callApi(demo.server.origin, appContract.requestCode, {
    body: { tenantId: 2, phone },
    headers: await solvedCaptcha(demo.server.origin),
  });
  expect(reply).toMatchObject({ code: 0 });
}

// Before there is a channel: no message of the demo takes credit meanwhile.
test("SMS credit: credited and reversed by the platform, shown to the tenant", async () => {
  const { page } = platform;
  await page.goto("/register/viewSms?tenantId=2");
  const account = page.getByRole("region", { name: "短信余额" });
  await account.getByText(/最近 \d{4}/).waitFor();
  const left = async () =>
    Number((await account.locator("dd").first().textContent())?.replace(/[^\d-]/g, ""));
  const before = await left();
  await account.getByRole("button", { name: "充值" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("充值条数").fill("2500");
  await dialog.getByLabel("充值金额").fill("112.5");
  await dialog.getByLabel("说明").fill("合同 2026-11");
  await dialog.getByText("单价 0.0450 元/条").waitFor();
  await dialog.getByRole("button", { name: "确认充值" }).click();
  await expect.poll(left).toBe(before + 2_500);
  const newest = page.getByRole("table", { name: "充值明细" }).getByRole("row").nth(1);
  await expect.poll(() => newest.textContent()).toMatch(/\+2,500.*¥112\.50/);

  await newest.getByRole("button", { name: "撤回" }).click();
  await dialog.getByText("扣回 2,500").waitFor();
  await dialog.getByRole("button", { name: "充错租户" }).click();
  await dialog.getByRole("button", { name: "撤回", exact: true }).click();
  await expect.poll(left).toBe(before);

  await tenant.page.goto("/smsManage/index?kind=REVERSAL");
  const row = tenant.page.getByRole("table", { name: "充值明细" }).getByRole("row").nth(1);
  await row.getByText("充错租户").waitFor();
  expect(await tenant.page.getByRole("button", { name: /^(充值|撤回)$/ }).count()).toBe(0);
  await row.getByRole("button").first().click();
  await tenant.page.getByRole("dialog").getByText("撤回的充值").waitFor();
});

test("carrier settings: a wrong key is reported, a valid one is verified", async () => {
  const { page } = platform;
  await page.goto("/smsManage/synopsis");
  await page.getByText("未开通短信通道").waitFor();
  await page.getByRole("link", { name: "配置短信通道" }).click();
  await page.getByRole("button", { name: "修改" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("switch").click();
  await form.getByLabel("访问密钥 ID").fill(carrierAccount.keyId);
  await form.getByRole("button", { name: "保存并验证" }).click();
  await form.getByText("须同时填写访问密钥").waitFor();
  await form.getByLabel("访问密钥", { exact: true }).fill("wrongwrongwrongwrong");
  await form.getByRole("button", { name: "保存并验证" }).click();
  await page.getByText("密钥不正确或已停用").waitFor();
  // Messages that fall due now, such as those of the demo, are rejected as well.
  await requestCode("13712345670");
  await expect.poll(() => carriers.asked).toContain("SendSms");

  await page.getByRole("button", { name: "修改" }).click();
  await form.getByLabel("访问密钥", { exact: true }).fill(carrierAccount.secret);
  await form.getByRole("button", { name: "保存并验证" }).click();
  await page.getByText("签名“智能存取”已通过审核").waitFor();
  await page.reload();
  await page.getByText("签名“智能存取”已通过审核").waitFor();
  expect(await page.content()).not.toContain(carrierAccount.secret);
  const rejected = carriers.unbelieved.splice(0);
  expect(new Set(rejected.map(({ reason }) => reason))).toEqual(new Set(["SignatureDoesNotMatch"]));
  expect(rejected.filter(({ action }) => action === "QuerySmsSignList")).toHaveLength(1);
});

test("sign-in code: sent under the tenant's signature and shown live in its list", async () => {
  const { page } = tenant;
  const phone = "13712345671";
  await page.goto(`/smsManage/send?phone=${phone}`);
  await page.getByText("暂无数据").or(page.getByText("暂无符合条件")).first().waitFor();
  await requestCode(phone);
  // The list updates live.
  const row = page.getByRole("table", { name: "通知记录" }).getByRole("row").nth(1);
  await row.getByText("已提交").waitFor();
  // The demo sends messages of its own as they fall due.
  const [sms, ...others] = carriers.taken.filter((each) => each.phone === phone);
  expect(sms).toMatchObject({ sign: "禾木智存", carrier: "ALIYUN" });
  expect(others).toEqual([]);
  expect(Object.values(sms?.variables ?? {})[0]).toMatch(/^\d{6}$/);
  await row.getByRole("button").first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(sms?.carrierNo ?? "").waitFor();
  await page.keyboard.press("Escape");
});

test("refused message: shows the reason and cannot be resent", async () => {
  const { page } = tenant;
  const phone = "13712345672";
  carriers.signs = {};
  await requestCode(phone);
  await page.goto(`/smsManage/send?phone=${phone}`);
  const row = page.getByRole("table", { name: "通知记录" }).getByRole("row").nth(1);
  await row.getByText("短信签名未通过审核").waitFor();
  // The disabled button explains itself when pressed.
  await row.getByRole("button", { name: "重发" }).click({ force: true });
  await page.getByText("请用户重新获取").waitFor();
  await page.goto("/smsManage/synopsis");
  const failures = page.getByRole("region", { name: "失败原因" });
  await failures.getByText("短信签名未通过审核").waitFor();
  await failures.getByRole("link", { name: "查看失败的短信" }).click();
  await page.waitForURL("**/smsManage/send?state=FAILED**");
  await page.goto("/smsManage/index?view=entries");
  await page.getByRole("table", { name: "短信条数变动" }).getByText("-1").first().waitFor();
});
