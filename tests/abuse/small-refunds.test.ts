// Many small refunds: an account that refunds more than its tenant's limit in 24 hours must prove who it is.
import { paymentContract } from "@cabinet/contract/money/payment/payment.contract.ts";
import { expect, it } from "vitest";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { useOnlineTopUps } from "../support/online-top-ups.ts";
import { useTestServer } from "../support/test-server.ts";

const testServer = useTestServer();
const shop = useOnlineTopUps(testServer);

const run = (statement: ReturnType<typeof sql>) =>
  testServer.database.transaction("platform", (db) => db.run(statement));

it("several refunds: the sum counts, also of a refused one only once it is proven", async () => {
  const { operatorId } = shop.staff;
  await run(sql`
    insert into tenant_setting (tenant_id, refund_proof_fen, edited_by)
    values (${shop.tenantId}, 3000, '测试')`);
  await run(sql`
    update session set proven_at = now() - interval '1 hour' where operator_id = ${operatorId}`);
  const { id, no } = await shop.start();
  await shop.postNotice(shop.wechat.pay(no));
  const refund = (fen: number) =>
    testServer.call(paymentContract.refundTopUp, shop.staff, {
      params: { id },
      body: { fen, reason: "用户不再使用" },
    });
  for (let at = 0; at < 3; at++) expect((await refund(1_000)).errMsg).toBe("");
  for (let at = 0; at < 2; at++) {
    expect(await refund(100)).toMatchObject({ status: 403, errMsg: "请再次验证身份后继续" });
  }
  await run(sql`update session set proven_at = now() where operator_id = ${operatorId}`);
  expect((await refund(100)).errMsg).toBe("");
  const { asked } = await testServer.database.read("platform", (db) =>
    db.one<{ asked: number }>(sql`
      select asked from ask_count where key like ${`refund:${shop.tenantId}:%`}`),
  );
  expect(asked).toBe(3_100);
});
