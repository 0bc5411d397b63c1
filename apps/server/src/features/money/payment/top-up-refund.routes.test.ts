// Top-up refunds by WeChat against a stub: never more than was paid, never twice, never lost.
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { describe, expect, it } from "vitest";
import {
  begin,
  credited,
  type StartedTopUp,
  useOnlineTopUps,
} from "../../../../../../tests/support/online-top-ups.ts";
import { insertEndUser } from "../../../../../../tests/support/orders.ts";
import { useTestServer } from "../../../../../../tests/support/test-server.ts";
import { sql } from "../../../platform/db/sql.ts";

const testServer = useTestServer();
const shop = useOnlineTopUps(testServer);
const { inTenant, openDifferences, runTask, standOf, start, postNotice } = shop;

describe("top-up refund", () => {
  async function paid(): Promise<StartedTopUp> {
    const topUp = await start();
    await postNotice(shop.wechat.pay(topUp.no));
    return topUp;
  }
  const ask = (id: number, fen: number) =>
    testServer.call(paymentContract.refundTopUp, shop.staff, {
      params: { id },
      body: { fen, reason: "用户不再使用" },
    });
  const factsOf = async (id: number) =>
    (await testServer.call(paymentContract.topUp, shop.staff, { params: { id } })).data;
  const push = (id: number) => runTask("payment.refund", { tenantId: shop.tenantId, id });

  it("deducts principal and bonus in proportion at once, and completes with WeChat's notice", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 2_000);
    expect(data.bonusFen).toBe(200);
    expect(await standOf(id)).toMatchObject({ principal: 13_000, bonus: 2_300 });
    await push(data.id);
    const [refund] = (await factsOf(id)).refunds;
    expect(refund).toMatchObject({ state: "PROCESSING", principalFen: 2_000 });
    const notice = shop.wechat.endRefund(refund?.outRefundNo ?? "", "SUCCESS");
    for (const _ of [1, 2]) expect((await postNotice(notice)).statusCode).toBe(204);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "DONE" });
    expect(await standOf(id)).toMatchObject({ state: "PARTIAL_REFUND", principal: 13_000 });
    const rest = await ask(id, 3_000);
    expect(rest.data.bonusFen).toBe(300);
    expect(await standOf(id)).toMatchObject({ state: "REFUNDED", ...begin });
  });

  it("is limited to the unspent principal", async () => {
    const { id } = await paid();
    await inTenant((db) =>
      db.run(sql`
        update wallet set principal_fen = 1200, bonus_fen = 2500 where end_user_id = ${shop.endUserId}`),
    );
    expect((await factsOf(id)).refundableFen).toBe(1_200);
    expect(await ask(id, 1_201)).toMatchObject({
      code: 1,
      errMsg: "最多可退 12 元：其余部分已经花费、冻结或退回",
    });
    expect(await ask(id, 1_200)).toMatchObject({ code: 0, data: { bonusFen: 120 } });
  });

  it("is requested once however often its job runs, also after WeChat did not answer", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    shop.wechat.nextRefusal = { status: 500, body: { code: "SYSTEM_ERROR", message: "系统错误" } };
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({
      state: "PROCESSING",
      problem: expect.stringContaining("系统错误"),
    });
    shop.wechat.refundStatus = "SUCCESS";
    await push(data.id);
    await push(data.id);
    expect(shop.wechat.refunds.size).toBe(1);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "DONE", problem: null });
  });

  it("returns the money to the wallet when WeChat refuses it", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    shop.wechat.nextRefusal = {
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

  it("is not returned while an earlier request may have been accepted and its answer lost", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    await push(data.id);
    // Simulates a lost answer: the acceptance is forgotten, and WeChat refuses the repeated
    // request.
    await inTenant((db) =>
      db.run(sql`update top_up_refund set accepted_at = null, refund_no = null`),
    );
    shop.wechat.nextRefusal = {
      status: 400,
      body: { code: "INVALID_REQUEST", message: "请求重复" },
    };
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "PROCESSING", problem: null });
    expect(await standOf(id)).toMatchObject({ principal: 14_000 });
  });

  it("is not returned for an error of a proxy in front of WeChat", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    shop.wechat.nextRefusal = { status: 403, body: {} };
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "PROCESSING" });
    await push(data.id);
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "PROCESSING", problem: null });
    expect(shop.wechat.refunds.size).toBe(1);
  });

  it("returned to the wallet and paid out afterwards becomes a difference", async () => {
    const { id } = await paid();
    const { data } = await ask(id, 1_000);
    await push(data.id);
    const no = (await factsOf(id)).refunds[0]?.outRefundNo ?? "";
    await postNotice(shop.wechat.endRefund(no, "CLOSED"));
    expect(await standOf(id)).toMatchObject(credited);
    await postNotice(shop.wechat.endRefund(no, "SUCCESS"));
    expect(await openDifferences()).toEqual([
      { kind: "REFUND_NOT_HERE", subject: no, actualFen: 1_000 },
    ]);
    expect(await standOf(id)).toMatchObject(credited);
  });

  it("closed at WeChat is returned by notice, once; an abnormal one becomes a difference", async () => {
    const { id } = await paid();
    const first = await ask(id, 1_000);
    await push(first.data.id);
    const no = (await factsOf(id)).refunds[0]?.outRefundNo ?? "";
    const closed = shop.wechat.endRefund(no, "CLOSED");
    await postNotice(closed);
    await postNotice(closed);
    expect(await standOf(id)).toMatchObject(credited);
    const second = await ask(id, 1_000);
    await push(second.data.id);
    const other = (await factsOf(id)).refunds[0]?.outRefundNo ?? "";
    await postNotice(shop.wechat.endRefund(other, "ABNORMAL"));
    expect(await openDifferences()).toMatchObject([{ kind: "REFUND_ABNORMAL", subject: other }]);
    // A late PROCESSING changes nothing; a late SUCCESS does.
    await postNotice(shop.wechat.endRefund(other, "SUCCESS"));
    expect((await factsOf(id)).refunds[0]).toMatchObject({ state: "DONE" });
  });

  it("is refused when the money cannot be returned", async () => {
    const other = await testServer.makeTenant();
    const otherId = await testServer.database.transaction("platform", async (db) => {
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
    expect(
      await testServer.call(paymentContract.refundTopUp, other.people[1], input),
    ).toMatchObject({
      code: 1,
      errMsg: expect.stringContaining("没有微信支付配置"),
    });
  });

  it("does not overdraw with two concurrent requests", async () => {
    const { id } = await paid();
    const replies = await Promise.all([ask(id, 4_000), ask(id, 4_000)]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 1]);
  });
});
