// SQL for messages being sent: claim, settle, poll for receipts.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { SmsCarrierName } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import { codeScenarios } from "@cabinet/contract/messaging/sms/sms-sending.rules.ts";
import type { SmsState } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { join, type Sql, sql } from "../../../platform/db/sql.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";
import type { MessageKey } from "./sms-credit.sql.ts";

export interface QueuedSms extends MessageKey {
  scene: MessageScenario;
  phone: string;
  sealedText: Buffer;
  sealedCarrier: Buffer | null;
  segments: number;
  attempts: number;
  sendKey: string;
  ageSeconds: number;
}

/** Messages that wait for a carrier: codes, or everything else. */
export const queuedSms = (kind: "codes" | "notices"): Sql => sql`
  select tenant_id, id::text as key, due_at from sms_message
  where state = 'QUEUED'
    and scene ${kind === "codes" ? sql`in` : sql`not in`} (${join(codeScenarios)})`;

const ofMessage = ({ tenantId, smsId }: MessageKey) =>
  sql`tenant_id = ${tenantId} and id = ${smsId}`;

/** From here on a carrier may have it; `lookSeconds`: delay until the first poll if no reply comes. */
export async function markSending(
  db: Db,
  key: MessageKey,
  { carrier, lookSeconds }: { carrier: SmsCarrierName; lookSeconds: number },
): Promise<void> {
  await db.run(sql`
    update sms_message set state = 'SENDING', carrier = ${carrier}, claimed_at = now(),
      attempts = attempts + 1, checks = 0, result_code = '', result_text = '',
      due_at = now() + make_interval(secs => ${lookSeconds})
    where ${ofMessage(key)}`);
}

/** Locks the message with SKIP LOCKED; null when it is not due any more. */
export function lockDue(db: Db, key: MessageKey): Promise<QueuedSms | null> {
  return db.maybe(sql`
    select tenant_id, id as sms_id, scene, phone, sealed_text, sealed_carrier, segments, attempts,
      send_key, extract(epoch from now() - created_at)::float8 as age_seconds
    from sms_message
    where ${ofMessage(key)} and state = 'QUEUED' and due_at <= now()
    for update skip locked`);
}

export interface SmsOnItsWay {
  state: SmsState;
  attempts: number;
  checks: number;
}

export function lockMessage(db: Db, key: MessageKey): Promise<SmsOnItsWay | null> {
  return db.maybe(sql`
    select state, attempts, checks from sms_message where ${ofMessage(key)} for update`);
}

export interface SmsResult {
  resultCode: string;
  resultText: string;
}

export async function markFailed(db: Db, key: MessageKey, result: SmsResult): Promise<void> {
  await db.run(sql`
    update sms_message set state = 'FAILED', due_at = null, settled_at = now(),
      result_code = ${result.resultCode}, result_text = ${result.resultText}
    where ${ofMessage(key)}`);
}

export async function markQueued(
  db: Db,
  key: MessageKey,
  { seconds, ...result }: SmsResult & { seconds: number },
): Promise<void> {
  await db.run(sql`
    update sms_message set state = 'QUEUED', claimed_at = null,
      due_at = now() + make_interval(secs => ${seconds}),
      result_code = ${result.resultCode}, result_text = ${result.resultText}
    where ${ofMessage(key)}`);
}

export interface Taken {
  carrierNo: string | null;
  segments: number | null;
}

/** The carrier has it; the first poll for a receipt is due in `seconds`. */
export async function markSent(
  db: Db,
  key: MessageKey,
  { carrierNo, segments, seconds }: Taken & { seconds: number },
): Promise<void> {
  await db.run(sql`
    update sms_message set state = 'SENT', sent_at = coalesce(sent_at, now()), checks = 0,
      carrier_no = coalesce(${carrierNo}, carrier_no),
      carrier_segments = coalesce(${segments}, carrier_segments),
      result_code = '', result_text = '', due_at = now() + make_interval(secs => ${seconds})
    where ${ofMessage(key)}`);
}

/** Records the final result at the phone. */
export async function markReceived(
  db: Db,
  key: MessageKey,
  { state, carrierNo, segments, ...result }: Taken & SmsResult & { state: "DELIVERED" | "FAILED" },
): Promise<void> {
  await db.run(sql`
    update sms_message set state = ${state}, due_at = null, settled_at = now(),
      sent_at = coalesce(sent_at, now()), carrier_no = coalesce(${carrierNo}, carrier_no),
      carrier_segments = coalesce(${segments}, carrier_segments),
      result_code = ${result.resultCode}, result_text = ${result.resultText}
    where ${ofMessage(key)}`);
}

/** Records a poll without result; `seconds` until the next one, null: none. */
export async function markAsked(
  db: Db,
  key: MessageKey,
  { seconds, resultCode }: { seconds: number | null; resultCode: string },
): Promise<void> {
  await db.run(sql`
    update sms_message set checks = checks + 1, result_code = ${resultCode},
      due_at = now() + make_interval(secs => ${seconds})
    where ${ofMessage(key)}`);
}

export interface OpenSms extends MessageKey {
  state: "SENDING" | "SENT";
  carrier: SmsCarrierName;
  carrierNo: string | null;
  sendKey: string;
  phone: string;
  claimedAt: string;
}

/** Messages with a carrier, by the time of the next poll. */
export const openSms = sql`
  select tenant_id, id::text as key, due_at from sms_message
  where state in ('SENDING', 'SENT') and due_at is not null`;

/** Takes a message due for a poll, with a lease so that no other process polls it meanwhile. */
export function takeOpen(db: Db, key: MessageKey, leaseSeconds: number): Promise<OpenSms | null> {
  return db.maybe(sql`
    update sms_message sms set due_at = now() + make_interval(secs => ${leaseSeconds})
    from (
      select tenant_id, id from sms_message
      where ${ofMessage(key)} and state in ('SENDING', 'SENT') and due_at <= now()
      for update skip locked) due
    where sms.tenant_id = due.tenant_id and sms.id = due.id
    returning sms.tenant_id, sms.id as sms_id, sms.state, sms.carrier, sms.carrier_no, sms.send_key,
      sms.phone, sms.claimed_at`);
}

export interface SmsQueueFigures {
  waiting: number;
  oldestSeconds: number;
  uncertain: number;
  isChannelFailing: boolean;
  tenantsLow: number;
}

/** SENDING for over a minute counts as uncertain: a carrier normally answers within seconds. */
export function measureSmsQueue(db: Db, lowSegments: number): Promise<SmsQueueFigures> {
  return db.one(sql`
    select queue.waiting, queue.oldest as oldest_seconds, queue.uncertain,
      exists (select from sms_channel where is_on and check_state = 'FAILED') as is_channel_failing,
      (select count(*)::int from sms_account account join tenant on tenant.id = account.tenant_id
        where account.balance - account.held < ${lowSegments} and tenant.state = 'ACTIVE'
          and (tenant.expires_at is null or tenant.expires_at > now())) as tenants_low
    from (
      select (count(*) filter (where state = 'QUEUED' and due_at <= now()))::int as waiting,
        coalesce(extract(epoch from now() - min(due_at) filter (where state = 'QUEUED'
          and due_at <= now())), 0)::float8 as oldest,
        (count(*) filter (where state = 'SENDING'
          and claimed_at < now() - interval '1 minute'))::int as uncertain
      from sms_message where due_at is not null) queue`);
}

/** Erases phone and texts of a deleted person. */
export async function forgetSmsOf(
  db: Db,
  { tenantId, phone }: { tenantId: number; phone: string },
): Promise<void> {
  await db.run(sql`
    update sms_message set phone = '', sealed_text = '', sealed_carrier = null
    where tenant_id = ${tenantId} and phone = ${phone}`);
}

/** Erases phone and texts of settled messages that their tenant no longer keeps; returns their number. */
export function forgetOldSms(db: Db, limit: number): Promise<number> {
  return db.run(sql`
    update sms_message set phone = '', sealed_text = '', sealed_carrier = null
    where (tenant_id, id) in (
      select sms.tenant_id, sms.id from sms_message sms
      where sms.phone <> '' and sms.due_at is null
        and sms.created_at < ${dueBeforeSql("keepMessagesDays", sql`sms.tenant_id`)}
      limit ${limit})`);
}

/** Fails the waiting messages of a restored backup: the former system may have sent them. */
export function failRestored(db: Db): Promise<number> {
  return db.run(sql`
    update sms_message set state = 'FAILED', due_at = null, settled_at = now(),
      result_code = 'RESTORED', result_text = ''
    where state = 'QUEUED'`);
}
