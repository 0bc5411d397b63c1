// Paying by WeChat on the real database, against a stand-in that verifies what we sign: once, in time, never lost.
import { paymentContract } from "@cabinet/contract/payment/payment.contract.ts";
import { reconciliationContract } from "@cabinet/contract/reconciliation/reconciliation.contract.ts";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Person, useHouse } from "../../../../../tests/support/house.ts";
import { insertEndUser } from "../../../../../tests/support/orders.ts";
import { insertSetting, paymentDraft } from "../../../../../tests/support/payments.ts";
import { type SignedNotice, WechatStandIn } from "../../../../../tests/support/wechat-pay.ts";
import { type Db, sql } from "../../platform/db.ts";
import { paymentJobs, startOnlineTopUp, topUpProgress } from "./index.ts";
import { prepay, settle } from "./top-up.service.ts";
import { findDueTopUps } from "./top-up.sql.ts";

const house = useHouse();
const log = pino({ level: "silent" });
let wechat: WechatStandIn;
let tenantId: number;
let staff: Person;
let endUserId: number;

beforeEach(async () => {
  wechat = await new WechatStandIn().open();
  const tenant = await house.makeTenant();
  tenantId = tenant.id;
  staff = tenant.people[1];
  await house.database.transaction("platform", async (db) => {
    await insertSetting(house, db, tenantId, "测试");
    endUserId = await insertEndUser(db, tenantId, "张三");
  });
});
afterEach(() => wechat.close());

const inTenant = <Result>(work: (db: Db) => Promise<Result>) =>
  house.database.transaction({ tenantId }, work);
const parts = () => ({ database: house.database, vault: house.vault, origin: wechat.origin });

function runTask(name: string, payload: object): Promise<void> {
  const task = paymentJobs({ vault: house.vault, origin: wechat.origin }).tasks[name];
  if (!task) throw new Error(`no task ${name}`);
  return task(payload, { database: house.database, log });
}

interface Started {
  id: number;
  no: string;
}

/** Ordered at WeChat; 50 yuan that give 5 on top. */
async function start({ isOrdered = true } = {}): Promise<Started> {
  const { topUpId, outTradeNo } = await inTenant((db) =>
    startOnlineTopUp(db, {
      tenantId,
      endUserId,
      openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
      principalFen: 5_000,
      bonusFen: 500,
      packageId: null,
      actor: { kind: "END_USER", id: endUserId, name: "张三" },
    }),
  );
  if (isOrdered) await runTask("payment.prepay", { tenantId, id: topUpId });
  return { id: topUpId, no: outTradeNo };
}

const tell = ({ body, headers }: SignedNotice, tenant = tenantId) =>
  house.app.inject({
    method: "POST",
    url: `/wechat-pay/v1/notice/${tenant}`,
    payload: body,
    headers,
  });

async function standOf(id: number) {
  return inTenant(async (db) => ({
    ...(await db.one<{ state: string; transactionNo: string | null; problem: string | null }>(sql`
      select state, transaction_no as "transactionNo", problem from top_up
      where tenant_id = ${tenantId} and id = ${id}`)),
    ...(await db.one<{ principal: number; bonus: number }>(sql`
      select principal_fen as principal, bonus_fen as bonus from wallet
      where tenant_id = ${tenantId} and end_user_id = ${endUserId}`)),
    ...(await db.one<{ journals: number }>(sql`
      select count(*)::int as journals from ledger_journal
      where tenant_id = ${tenantId} and biz_type = 'TOP_UP' and biz_id = ${String(id)}`)),
  }));
}

const begin = { principal: 10_000, bonus: 2_000 };
const credited = { state: "PAID", principal: 15_000, bonus: 2_500, journals: 1 };

async function openDifferences() {
  const { data } = await house.call(reconciliationContract.differences, staff, {
    query: { state: "OPEN", pageSize: 100 },
  });
  return data.list.map(({ kind, subject, actualFen }) => ({ kind, subject, actualFen }));
}

describe("ordering", () => {
  it("is done after the transaction, signed so that WeChat believes it, and gives what a phone pays with", async () => {
    const { id, no } = await start({ isOrdered: false });
    expect(wechat.asked).toEqual([]);
    const key = { tenantId, endUserId, topUpId: id };
    const before = await inTenant((db) => topUpProgress(db, house.vault, key));
    expect(before).toMatchObject({ state: "CREATED", payParams: null });
    await runTask("payment.prepay", { tenantId, id });
    expect(wechat.asked).toEqual(["POST /v3/pay/transactions/jsapi"]);
    expect(wechat.unsigned).toEqual([]);
    expect(wechat.orders.get(no)).toMatchObject({
      fen: 5_000,
      attach: `CABINET-${tenantId}`,
      noticeUrl: `https://cabinet.example.com/wechat-pay/v1/notice/${tenantId}`,
    });
    const after = await inTenant((db) => topUpProgress(db, house.vault, key));
    expect(after?.payParams).toMatchObject({
      appId: paymentDraft.appId,
      package: expect.stringMatching(/^prepay_id=wx/),
      signType: "RSA",
    });
    expect(
      await inTenant((db) => topUpProgress(db, house.vault, { ...key, endUserId: endUserId + 1 })),
    ).toBeNull();
  });

  it("is done once, however often its job runs", async () => {
    const { id } = await start();
    await runTask("payment.prepay", { tenantId, id });
    expect(wechat.asked).toHaveLength(1);
  });

  it("closes what WeChat refuses for good, and says why", async () => {
    const { id } = await start({ isOrdered: false });
    wechat.nextRefusal = {
      status: 400,
      body: { code: "APPID_MCHID_NOT_MATCH", message: "appid和mch_id不匹配" },
    };
    await runTask("payment.prepay", { tenantId, id });
    expect(await standOf(id)).toMatchObject({
      state: "CLOSED",
      problem: expect.stringContaining("appid和mch_id不匹配"),
      ...begin,
    });
  });

  it("is tried again when WeChat answers with another key, or not at all", async () => {
    const { id } = await start({ isOrdered: false });
    wechat.isForged = true;
    await expect(prepay(parts(), { tenantId, id })).rejects.toThrow("签名不正确");
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
    const origin = "http://127.0.0.1:9";
    await expect(prepay({ ...parts(), origin }, { tenantId, id })).rejects.toThrow();
    expect(await standOf(id)).toMatchObject({
      state: "CREATED",
      problem: expect.stringContaining("连接不上微信支付"),
    });
    wechat.isForged = false;
    await runTask("payment.prepay", { tenantId, id });
    expect(await standOf(id)).toMatchObject({ state: "CREATED", problem: null });
  });

  it("is refused where nothing is set up, or it is switched off", async () => {
    await inTenant((db) => db.run(sql`update payment_setting set is_on = false`));
    await expect(start()).rejects.toMatchObject({ code: "TOP_UP_OFFLINE" });
  });
});

describe("a notice", () => {
  it("puts what was paid into the wallet", async () => {
    const { id, no } = await start();
    expect((await tell(wechat.pay(no))).statusCode).toBe(204);
    expect(await standOf(id)).toMatchObject(credited);
  });

  it("counts once: repeated, replayed, told by another notice, and by queries at the same time", async () => {
    const { id, no } = await start();
    const notice = wechat.pay(no);
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, () => tell(notice)),
      ...Array.from({ length: 5 }, () => tell(wechat.pay(no))),
      ...Array.from({ length: 5 }, () => settle(parts(), { tenantId, id })),
    ]);
    expect(replies.filter((reply) => reply && reply.statusCode !== 204)).toEqual([]);
    expect(await standOf(id)).toMatchObject(credited);
    expect(await openDifferences()).toEqual([]);
  });

  it("is not believed without WeChat's signature over exactly these bytes, just now", async () => {
    const { id, no } = await start();
    const notice = wechat.pay(no);
    const old = { ...notice.headers, ...wechat.sign(notice.body, Date.now() - 301_000) };
    wechat.isForged = true;
    const forged = { ...notice.headers, ...wechat.sign(notice.body) };
    wechat.isForged = false;
    const probe = { ...notice.headers, "wechatpay-signature": "WECHATPAY/SIGNTEST/abc" };
    const { "wechatpay-signature": _, ...unsigned } = notice.headers;
    const otherKey = { ...notice.headers, "wechatpay-serial": "PUB_KEY_ID_9999999999" };
    for (const headers of [old, forged, probe, unsigned, otherKey]) {
      const reply = await tell({ body: notice.body, headers });
      expect(reply.statusCode).toBe(401);
      expect(reply.json()).toMatchObject({ code: "FAIL" });
    }
    const altered = notice.body.replace("TRANSACTION", "TRANSACTIOM");
    expect((await tell({ ...notice, body: altered })).statusCode).toBe(401);
    // Of another tenant, of one that has no setting, of nobody.
    const other = await house.makeTenant();
    for (const tenant of [other.id, 999_999, 0]) {
      expect((await tell(notice, tenant)).statusCode).toBe(401);
    }
    expect(await standOf(id)).toMatchObject({ state: "CREATED", journals: 0, ...begin });
    expect((await tell(notice)).statusCode).toBe(204);
  });

  it("sealed with another key, or of another merchant, moves nothing", async () => {
    const { id, no } = await start();
    const content = {
      mchid: paymentDraft.mchid,
      appid: paymentDraft.appId,
      out_trade_no: no,
      transaction_id: "42000001",
      trade_state: "SUCCESS",
      amount: { total: 5_000, currency: "CNY" },
    };
    const wrongKey = wechat.notice("TRANSACTION.SUCCESS", content, "x".repeat(32));
    expect((await tell(wrongKey)).statusCode).toBe(400);
    const other = wechat.notice("TRANSACTION.SUCCESS", { ...content, mchid: "1900000999" });
    expect((await tell(other)).statusCode).toBe(204);
    expect(await standOf(id)).toMatchObject({ state: "CREATED", journals: 0, ...begin });
  });

  it("of another amount is not credited and not lost", async () => {
    const { id, no } = await start();
    expect((await tell(wechat.pay(no, 1))).statusCode).toBe(204);
    expect(await standOf(id)).toMatchObject({ state: "CLOSED", journals: 0, ...begin });
    expect(await openDifferences()).toEqual([{ kind: "PAID_AMOUNT", subject: no, actualFen: 1 }]);
  });

  it("of an order that we do not know lands in the work list, once", async () => {
    const { no } = await start();
    await inTenant((db) =>
      db.run(sql`update top_up set out_trade_no = 'another' where out_trade_no = ${no}`),
    );
    const notice = wechat.pay(no);
    await tell(notice);
    await tell(notice);
    expect(await openDifferences()).toEqual([
      { kind: "PAID_UNKNOWN", subject: no, actualFen: 5_000 },
    ]);
  });

  it("of a closed order waits for a person, who credits it once", async () => {
    const { id, no } = await start();
    await inTenant((db) => db.run(sql`update top_up set state = 'CLOSED' where id = ${id}`));
    const notice = wechat.pay(no);
    await tell(notice);
    await tell(notice);
    expect(await standOf(id)).toMatchObject({ state: "CLOSED", ...begin });
    expect(await openDifferences()).toEqual([
      { kind: "PAID_CLOSED", subject: no, actualFen: 5_000 },
    ]);
    const { data } = await house.call(reconciliationContract.differences, staff, {
      query: { state: "OPEN" },
    });
    // Its money came in the day before: the bill of that day lists it, and none after.
    await inTenant((db) => db.run(sql`update reconciliation_difference set day = day - 1`));
    const input = { params: { id: data.list[0]?.id }, body: { reason: "用户确认已付款" } };
    expect(await house.call(reconciliationContract.credit, staff, input)).toMatchObject({
      code: 0,
    });
    expect(await standOf(id)).toMatchObject(credited);
    expect(
      await inTenant((db) =>
        db.one(sql`
          select (paid_at at time zone 'Asia/Shanghai')::date
            - (now() at time zone 'Asia/Shanghai')::date as days
          from top_up where id = ${id}`),
      ),
    ).toEqual({ days: -1 });
    expect(await house.call(reconciliationContract.credit, staff, input)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("已处理"),
    });
    await tell(notice);
    expect(await standOf(id)).toMatchObject(credited);
    expect(await openDifferences()).toEqual([]);
  });

  it("of a second payment of the same order goes to the work list", async () => {
    const { id, no } = await start();
    await tell(wechat.pay(no));
    const order = wechat.orders.get(no);
    if (order) order.transactionNo = "4200000002";
    await tell(wechat.pay(no));
    expect(await standOf(id)).toMatchObject(credited);
    expect(await openDifferences()).toMatchObject([{ kind: "PAID_TWICE" }]);
  });
});

describe("without a notice", () => {
  it("asks WeChat each minute, and credits what was paid", async () => {
    const { id, no } = await start();
    wechat.pay(no);
    await inTenant((db) => db.run(sql`update top_up set next_check_at = now() where id = ${id}`));
    expect(await house.database.read("platform", findDueTopUps)).toContainEqual({ tenantId, id });
    await runTask("payment.tick", {});
    await runTask("payment.settle", { tenantId, id });
    expect(await standOf(id)).toMatchObject(credited);
    const due = await house.database.read("platform", findDueTopUps);
    expect(due).not.toContainEqual({ tenantId, id });
  });

  it("closes at WeChat and here what nobody paid in time", async () => {
    const { id, no } = await start();
    await settle(parts(), { tenantId, id });
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
    await inTenant((db) => db.run(sql`update top_up set expires_at = now() where id = ${id}`));
    await settle(parts(), { tenantId, id });
    expect(wechat.orders.get(no)?.state).toBe("CLOSED");
    expect(await standOf(id)).toMatchObject({ state: "CLOSED", problem: "超时未支付", ...begin });
  });

  it("does not close what is paid at the last moment", async () => {
    const { id, no } = await start();
    await inTenant((db) => db.run(sql`update top_up set expires_at = now() where id = ${id}`));
    wechat.beforeClose = () => wechat.pay(no);
    await settle(parts(), { tenantId, id });
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
    await settle(parts(), { tenantId, id });
    expect(await standOf(id)).toMatchObject(credited);
  });
});

describe("a refund", () => {
  async function paid(): Promise<Started> {
    const topUp = await start();
    await tell(wechat.pay(topUp.no));
    return topUp;
  }
  const ask = (id: number, fen: number) =>
    house.call(paymentContract.refundTopUp, staff, {
      params: { id },
      body: { fen, reason: "用户不再使用" },
    });
  const factsOf = async (id: number) =>
    (await house.call(paymentContract.topUp, staff, { params: { id } })).data;
  const push = (id: number) => runTask("payment.refund", { tenantId, id });

  it("takes principal and bonus in proportion at once, and ends by WeChat's notice", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 2_000);
    expect(data.bonusFen).toBe(200);
    expect(await standOf(id)).toMatchObject({ principal: 13_000, bonus: 2_300 });
    await push(data.id);
    const [refund] = (await factsOf(id)).refunds;
    expect(refund).toMatchObject({ state: "PROCESSING", principalFen: 2_000 });
    const notice = wechat.endRefund(refund?.outRefundNo ?? "", "SUCCESS");
    for (const _ of [1, 2]) expect((await tell(notice)).statusCode).toBe(204);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "DONE" });
    expect(await standOf(id)).toMatchObject({ state: "PARTIAL_REFUND", principal: 13_000 });
    const rest = await ask(id, 3_000);
    expect(rest.data.bonusFen).toBe(300);
    expect(await standOf(id)).toMatchObject({ state: "REFUNDED", ...begin });
  });

  it("gives back only what is not spent", async () => {
    const { id } = await paid();
    await inTenant((db) =>
      db.run(sql`
        update wallet set principal_fen = 1200, bonus_fen = 2500 where end_user_id = ${endUserId}`),
    );
    expect((await factsOf(id)).refundableFen).toBe(1_200);
    expect(await ask(id, 1_201)).toMatchObject({
      code: 1,
      errMsg: "最多可退 12 元：其余部分已经花费、冻结或退回",
    });
    expect(await ask(id, 1_200)).toMatchObject({ code: 0, data: { bonusFen: 120 } });
  });

  it("is asked for once however often its job runs, also after WeChat was silent", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    wechat.nextRefusal = { status: 500, body: { code: "SYSTEM_ERROR", message: "系统错误" } };
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({
      state: "PROCESSING",
      problem: expect.stringContaining("系统错误"),
    });
    wechat.refundStatus = "SUCCESS";
    await push(data.id);
    await push(data.id);
    expect(wechat.refunds.size).toBe(1);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "DONE", problem: null });
  });

  it("that WeChat will not make puts the money back into the wallet", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    wechat.nextRefusal = {
      status: 400,
      body: { code: "INVALID_REQUEST", message: "订单已超过可退款的最大期限" },
    };
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({
      state: "FAILED",
      problem: expect.stringContaining("最大期限"),
    });
    expect(await standOf(id)).toMatchObject(credited);
    await push(data.id);
    expect(await standOf(id)).toMatchObject(credited);
  });

  it("is not put back while an earlier request may have been taken on, its answer lost", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    await push(data.id);
    // As if nobody had heard that answer, and WeChat now refused to say it again.
    await inTenant((db) =>
      db.run(sql`update top_up_refund set accepted_at = null, refund_no = null`),
    );
    wechat.nextRefusal = { status: 400, body: { code: "INVALID_REQUEST", message: "请求重复" } };
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "PROCESSING", problem: null });
    expect(await standOf(id)).toMatchObject({ principal: 14_000 });
  });

  it("is not put back for what something on the way to WeChat says", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    wechat.nextRefusal = { status: 403, body: {} };
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "PROCESSING" });
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "PROCESSING", problem: null });
    expect(wechat.refunds.size).toBe(1);
  });

  it("that was put back and then paid out after all goes to the work list", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    await push(data.id);
    const no = (await factsOf(id)).refunds[0]?.outRefundNo ?? "";
    await tell(wechat.endRefund(no, "CLOSED"));
    expect(await standOf(id)).toMatchObject(credited);
    await tell(wechat.endRefund(no, "SUCCESS"));
    expect(await openDifferences()).toEqual([
      { kind: "REFUND_NOT_HERE", subject: no, actualFen: 1_000 },
    ]);
    expect(await standOf(id)).toMatchObject(credited);
  });

  it("that was closed at WeChat comes back by notice, once; an abnormal one goes to the work list", async () => {
    const { id } = await paid();
    const first = await ask(id, 1_000);
    await push(first.data.id);
    const no = (await factsOf(id)).refunds[0]?.outRefundNo ?? "";
    const closed = wechat.endRefund(no, "CLOSED");
    await tell(closed);
    await tell(closed);
    expect(await standOf(id)).toMatchObject(credited);
    const second = await ask(id, 1_000);
    await push(second.data.id);
    const other = (await factsOf(id)).refunds[0]?.outRefundNo ?? "";
    await tell(wechat.endRefund(other, "ABNORMAL"));
    expect(await openDifferences()).toMatchObject([{ kind: "REFUND_ABNORMAL", subject: other }]);
    // A late “processing” moves nothing; that it did succeed, does.
    await tell(wechat.endRefund(other, "SUCCESS"));
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "DONE" });
  });

  it("is refused where there is no way back", async () => {
    const other = await house.makeTenant();
    const otherId = await house.database.transaction("platform", async (db) => {
      const person = await insertEndUser(db, other.id, "李四");
      const row = await db.one<{ id: number }>(sql`
        insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, out_trade_no,
          paid_at, actor_kind, actor_name)
        values (${other.id}, ${person}, 'WECHAT', 'PAID', 5000, 'CZ-old', now(), 'END_USER', '李四')
        returning id`);
      return row.id;
    });
    const body = { fen: 100, reason: "用户不再使用" };
    const input = { params: { id: otherId }, body };
    expect(await house.call(paymentContract.refundTopUp, other.people[1], input)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("没有微信支付配置"),
    });
  });

  it("does not overdraw when two are asked for at once", async () => {
    const { id } = await paid();
    const replies = await Promise.all([ask(id, 4_000), ask(id, 4_000)]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
  });
});
