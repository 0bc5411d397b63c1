// SQL for the demo's pickup codes: orders with a code sent, and hashes of the live ones.
import type { PricingRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import { type Db, sql } from "../../platform/db/db.ts";

export interface SentCode {
  tenantId: number;
  cabinetId: number;
  orderId: number;
  at: string;
  phone: string;
  place: string;
  no: number;
  rule: PricingRule;
  /** Signature of the tenant's text messages. */
  sign: string;
  /** The order is live: its goods are in the compartment. */
  isLive: boolean;
}

/** In chronological order. */
export function findCodesSent(db: Db): Promise<SentCode[]> {
  return db.many(sql`
    select o.tenant_id as "tenantId", o.cabinet_id as "cabinetId", o.id as "orderId", e.at, r.phone,
      case when starts_with(c.name, s.name) then c.name else concat_ws(' ', s.name, c.name) end as place,
      o.compartment_no as no, o.pricing -> 'rule' as rule, coalesce(t.sms_sign, '') as sign,
      l.order_id is not null as "isLive"
    from storage_order o
    join lateral (
      select max(at) as at from order_event e
      where e.tenant_id = o.tenant_id and e.order_id = o.id and e.kind = 'CODE_SENT'
    ) e on e.at is not null
    join end_user r on r.tenant_id = o.tenant_id and r.id = o.recipient_id
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    left join store s on s.tenant_id = o.tenant_id and s.id = o.store_id
    left join tenant_setting t on t.tenant_id = o.tenant_id
    left join live_order l on l.tenant_id = o.tenant_id and l.order_id = o.id
    where o.id >= first_order_id(now() - interval '7 days') or l.order_id is not null
    order by e.at, o.id`);
}

export async function writeCodes(
  db: Db,
  codes: { orderId: number; hash: Buffer }[],
): Promise<void> {
  const hashes = codes.map(({ hash }) => hash.toString("hex"));
  await db.run(sql`
    update live_order l set code_hash = decode(n.hash, 'hex')
    from unnest(${codes.map(({ orderId }) => orderId)}::bigint[], ${hashes}::text[])
      n (order_id, hash)
    where l.order_id = n.order_id`);
}

export interface WrittenSms {
  tenantId: number;
  id: number;
  segments: number;
  /** Credit of the tenant before all of these messages. */
  left: number;
}

/** Messages of the last week except the last five hours, when the carrier was off; in chronological order. */
export function findSentSms(db: Db): Promise<WrittenSms[]> {
  return db.many(sql`
    select m.tenant_id as "tenantId", m.id, m.segments,
      coalesce(a.balance - a.held, 0) as "left"
    from sms_message m left join sms_account a on a.tenant_id = m.tenant_id
    where m.created_at between now() - interval '7 days' and now() - interval '5 hours'
    order by m.id`);
}

export interface SmsProgress {
  tenantId: number;
  id: number;
  state: "DELIVERED" | "SENT" | "FAILED";
  resultCode: string;
  /** Null: the carrier did not take it. */
  balanceAfter: number | null;
}

/** Writes results, with holds, entries and accounts that agree with them. */
export async function writeSmsProgress(
  db: Db,
  progressRows: readonly SmsProgress[],
): Promise<void> {
  await db.run(sql`
    with course as (
      select * from json_to_recordset(${JSON.stringify(progressRows)}) as c (
        "tenantId" int, id bigint, state text, "resultCode" text, "balanceAfter" bigint)
    ), told as (
      update sms_message m set state = c.state, result_code = c."resultCode", attempts = 1,
        carrier = 'ALIYUN', claimed_at = m.created_at,
        carrier_no = case when c."balanceAfter" is not null
          then 9_307_000_000_000 + m.id || '^0' end,
        sent_at = case when c."balanceAfter" is not null then m.created_at + interval '1 second' end,
        settled_at = case when c.state <> 'SENT' then m.created_at + interval '7 seconds' end
      from course c where m.tenant_id = c."tenantId" and m.id = c.id
      returning m.tenant_id, m.id, m.segments, m.created_at, c."balanceAfter" as balance_after
    ), held as (
      insert into sms_hold (tenant_id, sms_id, segments, state, created_at, settled_at)
      select tenant_id, id, segments, 'POSTED', created_at, created_at + interval '1 second'
      from told where balance_after is not null
    ), booked as (
      insert into sms_credit_entry (tenant_id, at, kind, segments, balance_after, biz_type, biz_id)
      select tenant_id, created_at + interval '1 second', 'USE', -segments, balance_after,
        'SMS_MESSAGE', id
      from told where balance_after is not null order by id
    )
    update sms_account a set balance = l.balance
    from (select tenant_id, min(balance_after) as balance from told group by tenant_id) l
    where a.tenant_id = l.tenant_id and l.balance is not null`);
}

export async function insertSmsChannel(
  db: Db,
  channel: { keyId: string; sealedSecret: Buffer; sign: string; by: string },
): Promise<void> {
  await db.run(sql`
    insert into sms_channel (carrier, is_on, key_id, sealed_secret, sign, edited_by, edited_at)
    values ('ALIYUN', false, ${channel.keyId}, ${channel.sealedSecret}, ${channel.sign},
      ${channel.by}, now() - interval '5 hours')`);
}
