// Many small amounts: an account that moves more than its tenant's limit in 24 hours must prove who it is.
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { useOnlineTopUps } from "../support/online-top-ups.ts";
import { useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
const shop = useOnlineTopUps(testServer);

const run = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

it("refunds, adjustments and top-ups: the sum counts, a refused one only once it is proven", async () => {
  const { operatorId } = shop.staff;
  await run(sql`
    insert into tenant_setting (tenant_id, refund_proof_fen, edited_by)
    values (${shop.tenantId}, 3300, '测试')`);
  await run(sql`
    update session set proven_at = now() - interval '1 hour' where operator_id = ${operatorId}`);
  const { id, no } = await shop.start();
  await shop.postNotice(shop.wechat.pay(no));
  const refund = (fen: number) =>
    testServer.call(paymentContract.refundTopUp, shop.staff, {
      params: { id },
      body: { fen, reason: "用户不再使用" },
    });
  // Each takes a tenth of bonus back.
  for (let at = 0; at < 3; at++) expect((await refund(1_000)).errMsg).toBe("");
  const change = (kind: "RECHARGE" | "ADMIN_ADJUST", principalFen: number, bonusFen: number) =>
    testServer.call(walletContract.change, shop.staff, {
      body: { endUserId: shop.endUserId, kind, principalFen, bonusFen, reason: "客服补偿" },
    });
  const due = { status: 403, errMsg: "请再次验证身份后继续" };
  for (let at = 0; at < 2; at++) {
    expect(await refund(100)).toMatchObject(due);
    expect(await change("ADMIN_ADJUST", 0, 100)).toMatchObject(due);
    expect(await change("ADMIN_ADJUST", -100, 0)).toMatchObject(due);
    expect(await change("RECHARGE", 100, 0)).toMatchObject(due);
  }
  await run(sql`update session set proven_at = now() where operator_id = ${operatorId}`);
  expect((await refund(100)).errMsg).toBe("");
  const { asked } = await testServer.database.read("platform", (db) =>
    db.one<{ asked: number }>(sql`
      select asked from ask_count where key like ${`money:${shop.tenantId}:%`}`),
  );
  expect(asked).toBe(3_410);
});
