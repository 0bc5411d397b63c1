// Payments by WeChat on a real database, against a stub that verifies our signatures: credited
// once, in time, never lost.
import { reconciliationContract } from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import { describe, expect, it } from "vitest";
import {
  begin,
  credited,
  useOnlineTopUps,
} from "../../../../../../tests/support/online-top-ups.ts";
import { insertEndUser } from "../../../../../../tests/support/orders.ts";
import { paymentDraft } from "../../../../../../tests/support/payments.ts";
import { withClient } from "../../../../../../tests/support/postgres.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";
import { PlatformCertificates, topUpProgress } from "./index.ts";
import { prepay, settle } from "./top-up.service.ts";

const testServer = useTestServer();
const shop = useOnlineTopUps(testServer);
const { inTenant, openDifferences, runTask, standOf, start, postNotice } = shop;
const parts = () => ({
  database: testServer.database,
  origin: shop.wechat.origin,
  certificates: new PlatformCertificates(),
});

describe("payment order", () => {
  it("is created after the commit with a valid signature, and yields the parameters a phone pays with", async () => {
    const { id, no } = await start({ isOrdered: false });
    expect(shop.wechat.asked).toEqual([]);
    const key = { tenantId: shop.tenantId, endUserId: shop.endUserId, topUpId: id };
    const before = await inTenant((db) => topUpProgress(db, key));
    expect(before).toMatchObject({ state: "CREATED", payParams: null });
    await runTask("payment.prepay", { tenantId: shop.tenantId, id });
    expect(shop.wechat.asked).toEqual(["POST /v3/pay/transactions/jsapi"]);
    expect(shop.wechat.unsigned).toEqual([]);
    expect(shop.wechat.orders.get(no)).toMatchObject({
      fen: 5_000,
      attach: `CABINET-${shop.tenantId}`,
      noticeUrl: `https://cabinet.example.com/wechat-pay/v1/notice/${shop.tenantId}`,
    });
    const after = await inTenant((db) => topUpProgress(db, key));
    expect(after?.payParams).toMatchObject({
      appId: paymentDraft.appId,
      package: expect.stringMatching(/^prepay_id=wx/),
      signType: "RSA",
    });
    expect(
      await inTenant((db) => topUpProgress(db, { ...key, endUserId: shop.endUserId + 1 })),
    ).toBeNull();
  });

  it.each([
    ["", false],
    [" of the last moment", true],
  ])(
    "a payer who looks is told of the payment%s although its notice is lost, and causes a query each 5 seconds",
    async (_, isExpired) => {
      const { id, no } = await start();
      const key = { tenantId: shop.tenantId, endUserId: shop.endUserId, topUpId: id };
      const look = () => inTenant((db) => topUpProgress(db, key));
      const takeQueued = () =>
        withClient(testServer.url, async (client) => {
          const queued = `payment.settle:${shop.tenantId}:${id}`;
          const text = "delete from graphile_worker._private_jobs where key = $1";
          return (await client.query(text, [queued])).rowCount;
        });
      shop.wechat.pay(no);
      if (isExpired) {
        await inTenant((db) => db.run(sql`update top_up set expires_at = now() where id = ${id}`));
      }
      await look();
      expect(await takeQueued()).toBe(1);
      await look();
      expect(await takeQueued()).toBe(0);
      await runTask("payment.settle", { tenantId: shop.tenantId, id });
      expect(await look()).toMatchObject({ state: "PAID" });
    },
  );

  it("outside of WeChat: WeChat gets the payer's address, which is not kept, and answers with a page", async () => {
    const { id } = await start({ payer: { address: "203.0.113.9" } });
    expect(shop.wechat.asked).toEqual(["POST /v3/pay/transactions/h5"]);
    const key = { tenantId: shop.tenantId, endUserId: shop.endUserId, topUpId: id };
    expect(await inTenant((db) => topUpProgress(db, key))).toMatchObject({
      ...{ state: "CREATED", payParams: null },
      payUrl: expect.stringMatching(/^https:\/\/wx\.tenpay\.com\/.*prepay_id=wx/),
    });
    expect(
      await inTenant((db) =>
        db.one(
          sql`select payer_address from top_up where tenant_id = ${shop.tenantId} and id = ${id}`,
        ),
      ),
    ).toEqual({ payerAddress: null });
    await runTask("payment.prepay", { tenantId: shop.tenantId, id });
    expect(shop.wechat.asked).toHaveLength(1);
  });

  it("is created once, however often its job runs", async () => {
    const { id } = await start();
    await runTask("payment.prepay", { tenantId: shop.tenantId, id });
    expect(shop.wechat.asked).toHaveLength(1);
  });

  it("closes on a final refusal by WeChat and records why", async () => {
    const { id } = await start({ isOrdered: false });
    shop.wechat.nextRefusal = {
      status: 400,
      body: { code: "APPID_MCHID_NOT_MATCH", message: "appid和mch_id不匹配" },
    };
    await runTask("payment.prepay", { tenantId: shop.tenantId, id });
    expect(await standOf(id)).toMatchObject({
      state: "CLOSED",
      problem: expect.stringContaining("appid和mch_id不匹配"),
      ...begin,
    });
  });

  it("is retried when WeChat answers with another key or not at all", async () => {
    const { id } = await start({ isOrdered: false });
    shop.wechat.isForged = true;
    await expect(prepay(parts(), { tenantId: shop.tenantId, id })).rejects.toThrow("签名不正确");
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
    const origin = "http://127.0.0.1:9";
    await expect(prepay({ ...parts(), origin }, { tenantId: shop.tenantId, id })).rejects.toThrow();
    expect(await standOf(id)).toMatchObject({
      state: "CREATED",
      problem: expect.stringContaining("连接不上微信支付"),
    });
    shop.wechat.isForged = false;
    await runTask("payment.prepay", { tenantId: shop.tenantId, id });
    expect(await standOf(id)).toMatchObject({ state: "CREATED", problem: null });
  });

  it("is refused without a setting or with the setting off", async () => {
    await inTenant((db) => db.run(sql`update payment_setting set is_on = false`));
    await expect(start()).rejects.toMatchObject({ code: "TOP_UP_OFFLINE" });
  });
});

describe("payment notice", () => {
  it("credits the wallet", async () => {
    const { id, no } = await start();
    expect((await postNotice(shop.wechat.pay(no))).statusCode).toBe(204);
    expect(await standOf(id)).toMatchObject(credited);
  });

  it("credits once: repeated, replayed, in another notice, and with concurrent queries", async () => {
    const { id, no } = await start();
    const notice = shop.wechat.pay(no);
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, () => postNotice(notice)),
      ...Array.from({ length: 5 }, () => postNotice(shop.wechat.pay(no))),
      ...Array.from({ length: 5 }, () => settle(parts(), { tenantId: shop.tenantId, id })),
    ]);
    expect(replies.filter((reply) => reply && reply.statusCode !== 204)).toEqual([]);
    expect(await standOf(id)).toMatchObject(credited);
    expect(await openDifferences()).toEqual([]);
  });

  it("is rejected without a fresh WeChat signature over exactly these bytes", async () => {
    const { id, no } = await start();
    const notice = shop.wechat.pay(no);
    const old = { ...notice.headers, ...shop.wechat.sign(notice.body, Date.now() - 301_000) };
    shop.wechat.isForged = true;
    const forged = { ...notice.headers, ...shop.wechat.sign(notice.body) };
    shop.wechat.isForged = false;
    const probe = { ...notice.headers, "wechatpay-signature": "WECHATPAY/SIGNTEST/abc" };
    const { "wechatpay-signature": _, ...unsigned } = notice.headers;
    const otherKey = { ...notice.headers, "wechatpay-serial": "PUB_KEY_ID_9999999999" };
    for (const headers of [old, forged, probe, unsigned, otherKey]) {
      const reply = await postNotice({ body: notice.body, headers });
      expect(reply.statusCode).toBe(401);
      expect(reply.json()).toMatchObject({ code: "FAIL" });
    }
    const altered = notice.body.replace("TRANSACTION", "TRANSACTIOM");
    expect((await postNotice({ ...notice, body: altered })).statusCode).toBe(401);
    // Another tenant, a tenant without a setting, and an unknown tenant id.
    const other = await testServer.makeTenant();
    for (const tenant of [other.id, 999_999, 0]) {
      expect((await postNotice(notice, tenant)).statusCode).toBe(401);
    }
    expect(await standOf(id)).toMatchObject({ state: "CREATED", journals: 0, ...begin });
    expect((await postNotice(notice)).statusCode).toBe(204);
  });

  it("sealed with another key or of another merchant changes nothing", async () => {
    const { id, no } = await start();
    const content = {
      mchid: paymentDraft.mchid,
      appid: paymentDraft.appId,
      out_trade_no: no,
      transaction_id: "42000001",
      trade_state: "SUCCESS",
      amount: { total: 5_000, currency: "CNY" },
    };
    const wrongKey = shop.wechat.notice("TRANSACTION.SUCCESS", content, "x".repeat(32));
    expect((await postNotice(wrongKey)).statusCode).toBe(400);
    const other = shop.wechat.notice("TRANSACTION.SUCCESS", { ...content, mchid: "1900000999" });
    expect((await postNotice(other)).statusCode).toBe(204);
    expect(await standOf(id)).toMatchObject({ state: "CREATED", journals: 0, ...begin });
  });

  it("with another amount is not credited but recorded as a difference", async () => {
    const { id, no } = await start();
    expect((await postNotice(shop.wechat.pay(no, 1))).statusCode).toBe(204);
    expect(await standOf(id)).toMatchObject({ state: "CLOSED", journals: 0, ...begin });
    expect(await openDifferences()).toEqual([{ kind: "PAID_AMOUNT", subject: no, actualFen: 1 }]);
  });

  it("for an unknown order becomes one difference", async () => {
    const { no } = await start();
    await inTenant((db) =>
      db.run(sql`update top_up set out_trade_no = 'another' where out_trade_no = ${no}`),
    );
    const notice = shop.wechat.pay(no);
    await postNotice(notice);
    await postNotice(notice);
    expect(await openDifferences()).toEqual([
      { kind: "PAID_UNKNOWN", subject: no, actualFen: 5_000 },
    ]);
  });

  it("for a closed order waits for an operator, who credits it once", async () => {
    const { id, no } = await start();
    await inTenant((db) => db.run(sql`update top_up set state = 'CLOSED' where id = ${id}`));
    const notice = shop.wechat.pay(no);
    await postNotice(notice);
    await postNotice(notice);
    expect(await standOf(id)).toMatchObject({ state: "CLOSED", ...begin });
    expect(await openDifferences()).toEqual([
      { kind: "PAID_CLOSED", subject: no, actualFen: 5_000 },
    ]);
    const { data } = await testServer.call(reconciliationContract.differences, shop.staff, {
      query: { state: "OPEN" },
    });
    const sums = async (query: object) =>
      (await testServer.call(reconciliationContract.differenceSums, shop.staff, { query })).data;
    const amounts = { expectedFen: 0, actualFen: 5_000 };
    expect(data.list[0]).toMatchObject(amounts);
    expect(await sums({ state: "OPEN", subject: no })).toEqual({
      ...amounts,
      ...{ count: 1, gapFen: 5_000 },
    });
    expect(await sums({ state: "RESOLVED", subject: no })).toMatchObject({ count: 0, gapFen: 0 });
    // The money arrived the day before: only the bill of that day lists it.
    await inTenant((db) => db.run(sql`update reconciliation_difference set day = day - 1`));
    const input = { params: { id: data.list[0]?.id }, body: { reason: "用户确认已付款" } };
    expect(await testServer.call(reconciliationContract.credit, shop.staff, input)).toMatchObject({
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
    expect(await testServer.call(reconciliationContract.credit, shop.staff, input)).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("已处理"),
    });
    await postNotice(notice);
    expect(await standOf(id)).toMatchObject(credited);
    expect(await openDifferences()).toEqual([]);
  });

  it("for a second payment of the same order becomes a difference", async () => {
    const { id, no } = await start();
    await postNotice(shop.wechat.pay(no));
    const order = shop.wechat.orders.get(no);
    if (order) order.transactionNo = "4200000002";
    await postNotice(shop.wechat.pay(no));
    expect(await standOf(id)).toMatchObject(credited);
    expect(await openDifferences()).toMatchObject([{ kind: "PAID_TWICE" }]);
  });
});

describe("without a notice", () => {
  it("queries WeChat each minute and credits a paid top-up", async () => {
    const { id, no } = await start();
    shop.wechat.pay(no);
    await inTenant((db) => db.run(sql`update top_up set next_check_at = now() where id = ${id}`));
    await runTask("payment.tick", {});
    expect(await standOf(id)).toMatchObject(credited);
    const asked = shop.wechat.asked.length;
    await runTask("payment.tick", {});
    expect(shop.wechat.asked).toHaveLength(asked);
  });

  it("a tenant with hundreds of older top-ups delays nobody's", async () => {
    const { id, no } = await start();
    shop.wechat.pay(no);
    await inTenant((db) => db.run(sql`update top_up set next_check_at = now() where id = ${id}`));
    const flooder = (await testServer.makeTenant()).id;
    await testServer.database.transaction("platform", async (db) => {
      const endUserId = await insertEndUser(db, flooder, "张三");
      await db.run(sql`
        insert into top_up (tenant_id, end_user_id, channel, principal_fen, actor_kind, actor_name,
          out_trade_no, next_check_at)
        select ${flooder}, ${endUserId}, 'WECHAT', 100, 'END_USER', '张三', 'FLOOD' || n,
          now() - interval '1 hour'
        from generate_series(1, 250) n`);
    });
    await runTask("payment.tick", {});
    expect(await standOf(id)).toMatchObject(credited);
  });

  it("closes an unpaid expired top-up at WeChat and here", async () => {
    const { id, no } = await start();
    await settle(parts(), { tenantId: shop.tenantId, id });
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
    await inTenant((db) => db.run(sql`update top_up set expires_at = now() where id = ${id}`));
    await settle(parts(), { tenantId: shop.tenantId, id });
    expect(shop.wechat.orders.get(no)?.state).toBe("CLOSED");
    expect(await standOf(id)).toMatchObject({ state: "CLOSED", problem: "超时未支付", ...begin });
  });

  it("keeps a top-up open that is paid at the last moment", async () => {
    const { id, no } = await start();
    await inTenant((db) => db.run(sql`update top_up set expires_at = now() where id = ${id}`));
    shop.wechat.beforeClose = () => shop.wechat.pay(no);
    await settle(parts(), { tenantId: shop.tenantId, id });
    expect(await standOf(id)).toMatchObject({ state: "CREATED" });
    await settle(parts(), { tenantId: shop.tenantId, id });
    expect(await standOf(id)).toMatchObject(credited);
  });
});
