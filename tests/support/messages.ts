// Rows of SMS credit, text messages and malfunction notices, for tests on the real database.
import {
  sealChannelSecret,
  sealSmsText,
} from "../../apps/server/src/features/messaging/sms/index.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { anyPhone } from "./orders.ts";
import { smsChannelDraft } from "./sms-carriers.ts";

/** Inserts the platform's SMS channel, or resets it to its first version. */
export async function insertSmsChannel(db: Db, mark: string): Promise<void> {
  const { carrier, keyId, secret, sign } = smsChannelDraft;
  await db.run(sql`
    insert into sms_channel (carrier, is_on, key_id, sealed_secret, sign, edited_by)
    values (${carrier}, true, ${keyId}, ${sealChannelSecret(db.vault, secret)}, ${sign}, ${mark})
    on conflict (is_only) do update
    set edit_version = 1, carrier = excluded.carrier, key_id = excluded.key_id, is_on = true`);
}

/** Inserts a reminder that the carrier refused. */
async function insertRefusedSms(
  db: Db,
  { tenantId, orderId, mark }: { tenantId: number; orderId: number; mark: string },
): Promise<number> {
  const phone = anyPhone();
  const seal = (text: string) => sealSmsText(db.vault, { tenantId, phone }, text);
  const carrier = seal(JSON.stringify({ templateCode: "SMS_1", variables: [] }));
  const { id } = await db.one<{ id: number }>(sql`
    insert into sms_message (tenant_id, phone, scene, sealed_text, sealed_carrier, template_code,
      segments, order_id, state, result_code, attempts, settled_at)
    values (${tenantId}, ${phone}, 'OVERDUE', ${seal(`【${mark}】请尽快取出`)}, ${carrier}, 'SMS_1',
      1, ${orderId}, 'FAILED', 'isv.SMS_TEMPLATE_ILLEGAL', 1, now())
    returning id`);
  return id;
}

interface SmsCreditWorld {
  tenantId: number;
  smsId: number;
  orderId: number;
  mark: string;
}

/** Inserts 500 segments, a released hold for `smsId`, and a refused message that can be resent. */
export async function insertSmsCredit(
  db: Db,
  { tenantId, smsId, orderId, mark }: SmsCreditWorld,
): Promise<{ smsRechargeId: number; refusedSmsId: number }> {
  await insertSmsChannel(db, mark);
  await db.run(sql`
    insert into sms_account (tenant_id, balance) values (${tenantId}, 500)
    on conflict (tenant_id) do update set balance = sms_account.balance + 500`);
  const { id } = await db.one<{ id: number }>(sql`
    insert into sms_recharge (tenant_id, segments, amount_fen, reason, actor_name)
    values (${tenantId}, 500, 2500, ${mark}, ${mark}) returning id`);
  await db.run(sql`
    insert into sms_credit_entry (tenant_id, kind, segments, balance_after, biz_type, biz_id)
    select tenant_id, 'RECHARGE', 500, balance, 'SMS_RECHARGE', ${id}
    from sms_account where tenant_id = ${tenantId}`);
  await db.run(sql`
    insert into sms_hold (tenant_id, sms_id, segments, state, settled_at)
    values (${tenantId}, ${smsId}, 2, 'RELEASED', now())`);
  const refusedSmsId = await insertRefusedSms(db, { tenantId, orderId, mark });
  return { smsRechargeId: id, refusedSmsId };
}

/**
 * Inserts rule, recipient, alert and notice of a malfunction; returns the id of the unread notice.
 */
export async function insertMaintenanceMessages(
  db: Db,
  at: { tenantId: number; operatorId: number; malfunctionId: number; smsId: number; mark: string },
): Promise<number> {
  const { tenantId, operatorId, malfunctionId, smsId, mark } = at;
  await db.run(sql`
    insert into maintenance_rule (tenant_id, kind, is_on, to_caretakers, to_manager, by_console,
      by_sms, calm_minutes, edited_by)
    values (${tenantId}, 'OFFLINE', true, true, true, true, true, 0, ${mark})
    on conflict do nothing`);
  await db.run(sql`
    insert into maintenance_recipient (tenant_id, kind, step, operator_id)
    values (${tenantId}, 'OFFLINE', 'FIRST', ${operatorId}) on conflict do nothing`);
  await db.run(sql`
    insert into maintenance_alert (tenant_id, malfunction_id, next_at, told_at)
    values (${tenantId}, ${malfunctionId}, null, now())`);
  const { id } = await db.one<{ id: number }>(sql`
    insert into maintenance_notice (tenant_id, step, kind, malfunction_id, place, operator_id,
      operator_name, by_console, sms_state, sms_id)
    values (${tenantId}, 'FIRST', 'OPEN_FAILED', ${malfunctionId}, ${mark}, ${operatorId},
      ${mark}, true, 'QUEUED', ${smsId})
    returning id`);
  return id;
}
