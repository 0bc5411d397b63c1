// 支付配置 over HTTP: keys are write-only, and the check really calls WeChat.
import { maintenanceMessageContract } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeIdentity } from "../../../../../../tests/support/certificate.ts";
import { insertEndUser } from "../../../../../../tests/support/orders.ts";
import { merchantIdentity, paymentDraft } from "../../../../../../tests/support/payments.ts";
import { type Person, useTestServer } from "../../../../../../tests/support/test-server.ts";
import { WechatStandIn } from "../../../../../../tests/support/wechat-pay.ts";
import { sql } from "../../../platform/db/sql.ts";
import { paymentJobs } from "./index.ts";

const testServer = useTestServer();
const wechat = new WechatStandIn();
let staff: Person;

beforeAll(() => wechat.open());
afterAll(() => wechat.close());
beforeEach(async () => {
  staff = (await testServer.makeTenant()).people[1];
  wechat.isForged = false;
  wechat.isSilent = false;
});

const save = (draft: object = {}, as = staff) =>
  testServer.call(paymentContract.saveSetting, as, {
    body: { ...paymentDraft, editVersion: 0, ...draft },
  });
const setting = async (as = staff) =>
  (await testServer.call(paymentContract.setting, as, { query: {} })).data;

async function check(origin = wechat.origin): Promise<{ checkState: string; checkText: string }> {
  const jobs = paymentJobs({ origin });
  const tools = { database: testServer.database, log: pino({ level: "silent" }) };
  await jobs.tasks["payment.checkSetting"]?.({ tenantId: staff.tenantId }, tools);
  return setting();
}

describe("payment setting: saving", () => {
  it("reads serial and expiry from the certificate and returns no key", async () => {
    expect(await setting()).toMatchObject({ editVersion: 0, isOn: false, hasPrivateKey: false });
    expect(await save()).toMatchObject({ code: 0 });
    const saved = await setting();
    expect(saved).toMatchObject({
      isOn: true,
      mchid: paymentDraft.mchid,
      certificateSerial: merchantIdentity.serial,
      hasPrivateKey: true,
      hasApiV3Key: true,
      noticeUrl: `https://cabinet.example.com/wechat-pay/v1/notice/${staff.tenantId}`,
      checkState: "PENDING",
      editVersion: 1,
    });
    const days = (Date.parse(saved.certificateExpiresAt ?? "") - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(900);
    const text = JSON.stringify(saved);
    expect(text).not.toContain(paymentDraft.apiV3Key);
    expect(text).not.toContain("PRIVATE KEY");
    const kept = await testServer.database.read("platform", (db) =>
      db.one<{ row: string; audit: string }>(sql`
        select (select string_agg(payment_setting::text, '') from payment_setting
            where tenant_id = ${staff.tenantId}) as row,
          (select string_agg(audit::text, '') from audit_log audit
            where tenant_id = ${staff.tenantId}) as audit`),
    );
    for (const place of [kept.row, kept.audit]) {
      expect(place).not.toContain(paymentDraft.apiV3Key);
      expect(place).not.toContain("PRIVATE KEY");
      expect(place).toContain(paymentDraft.mchid);
    }
  });

  it("keeps keys that are not sent again", async () => {
    await save();
    const { certificate: _, privateKey: __, apiV3Key: ___, ...plain } = paymentDraft;
    const body = { ...plain, isOn: false, editVersion: 1 };
    expect(await testServer.call(paymentContract.saveSetting, staff, { body })).toMatchObject({
      code: 0,
    });
    expect(await setting()).toMatchObject({ isOn: false, hasPrivateKey: true, editVersion: 2 });
    expect(await check()).toMatchObject({ checkState: "OK" });
  });

  it.each([
    [{ certificate: undefined }, "要一起更换"],
    [{ certificate: undefined, privateKey: undefined }, "首次配置须填写"],
    [{ apiV3Key: undefined }, "首次配置须填写"],
    [{ privateKey: makeIdentity().privatePem }, "不是一对"],
    [{ certificate: makeIdentity(1, -1).certificate }, "不是一对"],
    [{ apiV3Key: "short" }, "APIv3 密钥"],
    [{ mchid: "abc" }, "商户号"],
    [{ noticeOrigin: "http://cabinet.example.com" }, "通知域名"],
    [{ publicKey: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----" }, "微信支付公钥"],
    [{ editVersion: 3 }, "修改过"],
  ])("refuses %j and says what to do", async (draft, text) => {
    const reply = await save(draft);
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining(text) });
    expect(await setting()).toMatchObject({ editVersion: 0 });
  });

  it("keeps the merchant while a payment under it may still arrive", async () => {
    await save();
    const { tenantId } = staff;
    await testServer.database.transaction({ tenantId }, async (db) => {
      const endUserId = await insertEndUser(db, tenantId, "张三");
      await db.run(sql`
        insert into top_up (tenant_id, end_user_id, channel, principal_fen, out_trade_no, prepay_id,
          expires_at, actor_kind, actor_name)
        values (${tenantId}, ${endUserId}, 'WECHAT', 5000, 'CZ1', 'wx1',
          now() + interval '20 minutes', 'END_USER', '张三')`);
    });
    const other = { mchid: "1900000999", editVersion: 1 };
    expect(await save(other)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("还有 1 笔充值或退款没有结果"),
    });
    expect(await save({ isOn: false, editVersion: 1 })).toMatchObject({ code: 0 });
    await testServer.database.transaction({ tenantId }, (db) =>
      db.run(sql`update top_up set state = 'CLOSED' where tenant_id = ${tenantId}`),
    );
    expect(await save({ ...other, editVersion: 2 })).toMatchObject({ code: 0 });
  });

  it("refuses an expired certificate", async () => {
    const { certificate, privatePem } = makeIdentity(1, -1);
    const reply = await save({ certificate, privateKey: privatePem });
    expect(reply).toMatchObject({ code: 1, errMsg: expect.stringContaining("已过期") });
  });
});

describe("payment setting: check", () => {
  beforeEach(() => save());

  it("starts on request and passes with the right keys", async () => {
    const asked = await testServer.call(paymentContract.checkSetting, staff, { body: {} });
    expect(asked).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({
      checkState: "OK",
      checkText: expect.stringContaining("第一笔支付通知"),
    });
  });

  it("fails if WeChat does not know the merchant's key", async () => {
    const { certificate, privatePem } = makeIdentity();
    await save({ certificate, privateKey: privatePem, editVersion: 1 });
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("请核对商户号、商户 API 证书与私钥"),
    });
  });

  it("fails if the answer is signed by another key than the configured one", async () => {
    wechat.isForged = true;
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("请核对微信支付公钥"),
    });
    wechat.isForged = false;
    await save({ publicKeyId: "PUB_KEY_ID_0000000000", editVersion: 1 });
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("公钥 ID"),
    });
  });

  it("fails within its deadline if nobody answers, and names where to look", async () => {
    expect(await check("http://127.0.0.1:9")).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("连接不上微信支付"),
    });
    wechat.isSilent = true;
    expect(await check()).toMatchObject({
      checkState: "FAILED",
      checkText: expect.stringContaining("没有在 8 秒内应答"),
    });
  });
});

it("payment setting check: refuses when nothing is configured", async () => {
  expect(await testServer.call(paymentContract.checkSetting, staff, { body: {} })).toMatchObject({
    code: 1,
    errMsg: expect.stringContaining("未配置微信支付"),
  });
});

describe("expiring certificate", () => {
  const endsIn = (days: number) =>
    testServer.database.transaction("platform", (db) =>
      db.run(sql`
        update payment_setting
        set certificate_expires_at = now() + make_interval(days => ${days}, mins => 5)
        where tenant_id = ${staff.tenantId}`),
    );
  const runJob = async () => {
    const jobs = paymentJobs({ origin: wechat.origin });
    const tools = { database: testServer.database, log: pino({ level: "silent" }) };
    await jobs.tasks["payment.certificates"]?.({}, tools);
  };
  const findNotices = async () =>
    (await testServer.call(maintenanceMessageContract.notices, staff, { query: {} })).data.list.map(
      ({ kind, place, detail }) => `${kind} ${place} ${detail}`,
    );

  it("alerts by its own rule, once per escalation step; a renewed certificate starts over", async () => {
    await save();
    await runJob();
    expect(await findNotices()).toEqual([]);
    await endsIn(29);
    await Promise.all([runJob(), runJob()]);
    await runJob();
    const notices = await findNotices();
    // Without recipients in the rule, everyone who may change the settings is notified.
    expect(notices.length).toBeGreaterThan(0);
    expect(new Set(notices).size).toBe(1);
    expect(notices[0]).toMatch(/^CERTIFICATE 商户号 \d+ 的微信支付证书 将于 \d{4}-\d\d-\d\d 到期$/);
    const each = notices.length;
    for (const [days, times] of [
      [20, 1],
      [7, 2],
      [6, 2],
      [-2, 3],
    ] as const) {
      await endsIn(days);
      await runJob();
      expect(await findNotices()).toHaveLength(each * times);
    }
    expect((await findNotices())[0]).toContain("过期，无法在线充值");
    const renewed = makeIdentity(0x52, 20);
    const given = { certificate: renewed.certificate, privateKey: renewed.privatePem };
    expect(await save({ ...given, editVersion: 1 })).toMatchObject({ code: 0 });
    await runJob();
    expect(await findNotices()).toHaveLength(each * 4);
  });

  it("sends no alert when online top-up is off", async () => {
    await save({ isOn: false });
    await endsIn(3);
    await runJob();
    expect(await findNotices()).toEqual([]);
  });
});
