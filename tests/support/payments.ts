// Rows of a tenant's payments, for tests on the real database: merchant setting, top-ups,
// differences.
import { randomUUID } from "node:crypto";
import { sealedFor } from "../../apps/server/src/features/money/payment/merchant.cache.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { makeIdentity } from "./certificate.ts";

/** Keys of the merchant and of WeChat Pay; one pair for all tests of a file. */
export const merchantIdentity = makeIdentity(0x51);
export const wechatIdentity = makeIdentity(0x62);

export const paymentDraft = {
  isOn: true,
  appId: "wx0123456789abcdef",
  mchid: "1900000109",
  certificate: merchantIdentity.certificate,
  privateKey: merchantIdentity.privatePem,
  apiV3Key: "0123456789abcdefghijklmnopqrstUV",
  publicKeyId: "PUB_KEY_ID_0114232134912410000000000000",
  publicKey: wechatIdentity.publicPem,
  noticeOrigin: "https://cabinet.example.com",
};

export async function insertSetting(db: Db, tenantId: number, mark: string): Promise<void> {
  const { appId, mchid, publicKeyId, publicKey, noticeOrigin } = paymentDraft;
  await db.run(sql`
    insert into payment_setting (tenant_id, is_on, app_id, mchid, certificate_serial,
      certificate_expires_at, sealed_private_key, sealed_api_v3_key, public_key_id, public_key,
      notice_origin, edited_by, check_state)
    values (${tenantId}, true, ${appId}, ${mchid}, ${merchantIdentity.serial},
      now() + interval '900 days',
      ${db.vault.seal(paymentDraft.privateKey, sealedFor.privateKey(tenantId))},
      ${db.vault.seal(paymentDraft.apiV3Key, sealedFor.apiV3Key(tenantId))}, ${publicKeyId},
      ${publicKey}, ${noticeOrigin}, ${mark}, 'OK')
    on conflict (tenant_id) do nothing`);
}

interface PaymentIds {
  /** Paid by WeChat, for a person who has spent nothing. */
  topUpId: number;
  differenceId: number;
  /** Difference about money received for a closed top-up. */
  creditableId: number;
}

/** Inserts a row into each table of payments and reconciliation. */
export async function insertPayments(
  db: Db,
  { tenantId, endUserId, mark }: { tenantId: number; endUserId: number; mark: string },
): Promise<PaymentIds> {
  await insertSetting(db, tenantId, mark);
  const insertTopUp = async (state: "PAID" | "CLOSED") => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, bonus_fen,
        out_trade_no, paid_at, transaction_no, actor_kind, actor_name, reason)
      values (${tenantId}, ${endUserId}, 'WECHAT', ${state}, 5000, 500, ${`CZ${randomUUID()}`},
        ${state === "PAID" ? sql`now()` : sql`null`}, ${state === "PAID" ? mark : null},
        'END_USER', '用户', ${mark})
      returning id`);
    return id;
  };
  const [topUpId, closedId] = [await insertTopUp("PAID"), await insertTopUp("CLOSED")];
  await db.run(sql`
    insert into top_up_refund (tenant_id, top_up_id, out_refund_no, principal_fen, bonus_fen, state,
      reason, actor_name)
    values (${tenantId}, ${topUpId}, ${`TK${randomUUID()}`}, 100, 0, 'FAILED', ${mark}, '李伟')`);
  await db.run(sql`
    insert into payment_notice (tenant_id, notice_id, event_type, subject)
    values (${tenantId}, ${randomUUID()}, 'TRANSACTION.SUCCESS', ${mark})`);
  await db.run(sql`
    insert into reconciliation_run (tenant_id, day, state, actor_name, problem)
    values (${tenantId}, '2026-01-01', 'DONE', '系统', ${mark})`);
  const insertDifference = async (kind: string, topUp: number | null) => {
    const { id } = await db.one<{ id: number }>(sql`
      insert into reconciliation_difference (tenant_id, day, kind, area, subject, end_user_id,
        top_up_id, expected_fen, actual_fen, detail, transaction_no)
      values (${tenantId}, '2026-01-01', ${kind}, 'WECHAT', ${mark}, ${endUserId}, ${topUp}, 5000,
        5000, ${mark}, ${randomUUID()})
      returning id`);
    return id;
  };
  return {
    topUpId,
    differenceId: await insertDifference("PAID_UNKNOWN", null),
    creditableId: await insertDifference("PAID_CLOSED", closedId),
  };
}
