// SQL for the demo's pickup codes: orders with a code sent, and hashes of the live ones.
import type { PricingRule } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";
import { MESSAGE_DAYS } from "../period.ts";

export interface SentCode {
  tenantId: number;
  cabinetId: number;
  orderId: number;
  at: string;
  phone: string;
  sn: string;
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
    select ord.tenant_id, ord.cabinet_id, ord.id as order_id, order_event.at, end_user.phone, cabinet.sn,
      case when starts_with(cabinet.name, store.name) then cabinet.name
        else concat_ws(' ', store.name, cabinet.name) end as place,
      ord.compartment_no as no, ord.pricing -> 'rule' as rule,
      coalesce(setting.sms_sign, '') as sign, live_order.order_id is not null as is_live
    from storage_order ord
    join lateral (
      select max(at) as at from order_event
      where order_event.tenant_id = ord.tenant_id and order_event.order_id = ord.id
        and order_event.kind = 'CODE_SENT'
    ) order_event on order_event.at is not null
    join end_user on end_user.tenant_id = ord.tenant_id and end_user.id = ord.recipient_id
    join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    left join store on store.tenant_id = ord.tenant_id and store.id = ord.store_id
    left join tenant_setting setting on setting.tenant_id = ord.tenant_id
    left join live_order on live_order.tenant_id = ord.tenant_id and live_order.order_id = ord.id
    where ord.id >= first_order_id(now() - make_interval(days => ${MESSAGE_DAYS}))
      or live_order.order_id is not null
    order by order_event.at, ord.id`);
}

export async function writeCodes(
  db: Db,
  codes: { orderId: number; hash: Buffer }[],
): Promise<void> {
  const hashes = codes.map(({ hash }) => hash.toString("hex"));
  await db.run(sql`
    update live_order set code_hash = decode(input.hash, 'hex')
    from unnest(${codes.map(({ orderId }) => orderId)}::bigint[], ${hashes}::text[])
      input (order_id, hash)
    where live_order.order_id = input.order_id`);
}

/** A purchase of credit, or a message. */
export interface CreditStep {
  tenantId: number;
  at: string;
  /** Segments of a purchase; negative for its reversal. */
  bought: number | null;
  /** Segments of a message. */
  needed: number | null;
  /** Purchase or message. */
  id: number;
}

/** In chronological order, without the messages of the last five hours, when the carrier was off. */
export function findCreditSteps(db: Db): Promise<CreditStep[]> {
  return db.many(sql`
    select tenant_id, at, segments as bought, null::int as needed, id from sms_recharge
    union all
    select tenant_id, created_at, null, segments, id from sms_message
    where created_at < now() - interval '5 hours'
    order by at, id`);
}

export interface SmsProgress {
  tenantId: number;
  id: number;
  state: "DELIVERED" | "SENT" | "FAILED";
  resultCode: string;
  /** By the carrier. */
  isTaken: boolean;
}

/** Writes results, with the holds that they posted. */
export async function writeSmsProgress(
  db: Db,
  progressRows: readonly SmsProgress[],
): Promise<void> {
  await db.run(sql`
    with course as (
      select * from json_to_recordset(${JSON.stringify(progressRows)}) as input (
        "tenantId" int, id bigint, state text, "resultCode" text, "isTaken" boolean)
    ), told as (
      update sms_message sms set state = course.state, result_code = course."resultCode",
        attempts = 1,
        carrier = 'ALIYUN', claimed_at = sms.created_at,
        carrier_no = case when course."isTaken" then 9_307_000_000_000 + sms.id || '^0' end,
        sent_at = case when course."isTaken" then sms.created_at + interval '1 second' end,
        settled_at = case when course.state <> 'SENT' then sms.created_at + interval '7 seconds' end
      from course where sms.tenant_id = course."tenantId" and sms.id = course.id
      returning sms.tenant_id, sms.id, sms.segments, sms.created_at,
        course."isTaken" as is_taken
    )
    insert into sms_hold (tenant_id, sms_id, segments, state, created_at, settled_at)
    select tenant_id, id, segments, 'POSTED', created_at, created_at + interval '1 second'
    from told where is_taken`);
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
