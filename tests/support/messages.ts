// What a tenant bought of text messages, and what its people were told of malfunctions.
import { type Db, sql } from "../../apps/server/src/platform/db.ts";

/** 500 segments, and a message that was not sent after all. */
export async function insertSmsCredit(
  db: Db,
  { tenantId, smsId, mark }: { tenantId: number; smsId: number; mark: string },
): Promise<{ smsRechargeId: number }> {
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
  return { smsRechargeId: id };
}

/** Has rules for one kind of malfunction; returns the notice of somebody who has not seen it yet. */
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
