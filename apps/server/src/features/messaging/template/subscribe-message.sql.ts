// SQL for subscribe messages: claim, settle, list.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { codeScenarios } from "@cabinet/contract/messaging/sms/sms-sending.rules.ts";
import type { SubscribeState } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import type {
  SubscribeMessage,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { endUserPhoneSql } from "../../../platform/db/phone.sql.ts";
import { and, join, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";

/** Attempts to send a message that WeChat provably did not take. */
export const MAX_ATTEMPTS = 4;

export interface MessageKey {
  tenantId: number;
  id: number;
}

export interface NewMessage {
  tenantId: number;
  scene: MessageScenario;
  side: Side | "BOTH";
  endUserId: number;
  appId: string;
  templateId: string;
  orderId: number | null;
  isTest: boolean;
  sealedContent: Buffer;
  hasFallback: boolean;
  isCounted: boolean;
}

export async function insertMessage(db: Db, v: NewMessage): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into subscribe_message (tenant_id, scene, side, end_user_id, app_id, template_id,
      order_id, is_test, sealed_content, has_fallback, is_counted)
    values (${v.tenantId}, ${v.scene}, ${v.side}, ${v.endUserId}, ${v.appId}, ${v.templateId},
      ${v.orderId}, ${v.isTest}, ${v.sealedContent}, ${v.hasFallback}, ${v.isCounted})
    returning id`);
  return id;
}

export interface Claimed extends MessageKey {
  scene: MessageScenario;
  endUserId: number;
  appId: string;
  templateId: string;
  /** Current openid of the person in the mini-program; null when they left it. */
  openid: string | null;
  orderId: number | null;
  sealedContent: Buffer;
  hasFallback: boolean;
  isCounted: boolean;
  attempts: number;
}

const claimedColumns = sql`
  subscribe_message.tenant_id, subscribe_message.id, subscribe_message.scene,
  subscribe_message.end_user_id, subscribe_message.app_id, subscribe_message.template_id,
  subscribe_message.order_id, subscribe_message.sealed_content, subscribe_message.has_fallback,
  subscribe_message.is_counted, subscribe_message.attempts,
  (select wechat_user.openid from mini_program_user wechat_user
    where wechat_user.tenant_id = subscribe_message.tenant_id
    and wechat_user.app_id = subscribe_message.app_id
    and wechat_user.end_user_id = subscribe_message.end_user_id) as openid`;

export type MessageKind = "codes" | "notices";

/** Messages that wait for WeChat: codes, or everything else. */
export const queuedMessages = (kind: MessageKind): Sql => sql`
  select tenant_id, id::text as key, next_at as due_at from subscribe_message
  where state = 'QUEUED'
    and scene ${kind === "codes" ? sql`in` : sql`not in`} (${join(codeScenarios)})`;

/** Messages in flight, by the time at which they count as lost. */
export const lostMessages = sql`
  select tenant_id, id::text as key, claimed_at + interval '60 seconds' as due_at
  from subscribe_message where state = 'SENDING'`;

/** Claims the message with SKIP LOCKED; from here on WeChat may have received it. */
export function claimDue(db: Db, { tenantId, id }: MessageKey): Promise<Claimed | null> {
  return db.maybe(sql`
    with due as (
      select tenant_id, id from subscribe_message
      where tenant_id = ${tenantId} and id = ${id} and state = 'QUEUED' and next_at <= now()
      for update skip locked
    )
    update subscribe_message set state = 'SENDING', attempts = subscribe_message.attempts + 1,
      next_at = null,
      claimed_at = now()
    from due where subscribe_message.tenant_id = due.tenant_id and subscribe_message.id = due.id
    returning ${claimedColumns}`);
}

/** Locks the message if it is in one of these states; null otherwise. */
export function lockMessage(
  db: Db,
  { tenantId, id }: MessageKey,
  states: readonly SubscribeState[],
): Promise<Claimed | null> {
  return db.maybe(sql`
    select ${claimedColumns} from subscribe_message
    where subscribe_message.tenant_id = ${tenantId} and subscribe_message.id = ${id} and subscribe_message.state = any(${[...states]}::text[])
    for no key update of subscribe_message`);
}

export interface Settlement {
  state: Exclude<SubscribeState, "QUEUED" | "SENDING">;
  msgId?: string | null;
  errorCode?: number | null;
  problem?: string;
  smsId?: number | null;
  /** Keeps the sealed content, whose fallback text may still be needed. */
  keepsContent?: boolean;
}

export async function settleMessage(db: Db, { tenantId, id }: MessageKey, s: Settlement) {
  await db.run(sql`
    update subscribe_message set state = ${s.state}, next_at = null, settled_at = now(),
      msg_id = coalesce(${s.msgId ?? null}, msg_id), error_code = ${s.errorCode ?? null},
      problem = ${s.problem ?? ""}, sms_id = coalesce(${s.smsId ?? null}, sms_id),
      sealed_content = case when ${s.keepsContent ?? false}::boolean then sealed_content
        else ''::bytea end
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** WeChat did not take the message: requeues it with a backoff of `attempts` minutes. */
export async function postponeMessage(
  db: Db,
  { tenantId, id, attempts }: Claimed,
  problem: string,
): Promise<void> {
  await db.run(sql`
    update subscribe_message set state = 'QUEUED', claimed_at = null, problem = ${problem},
      next_at = now() + make_interval(mins => ${attempts})
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** True when a later message of the order says the same: a fallback text would be outdated. */
export async function isSuperseded(
  db: Db,
  { tenantId, id, scene, orderId }: Claimed,
): Promise<boolean> {
  if (orderId === null) return false;
  const row = await db.maybe(sql`
    select 1 from subscribe_message
    where subscribe_message.tenant_id = ${tenantId} and subscribe_message.id = ${id} and (
      exists (select from subscribe_message later_message
        where later_message.tenant_id = subscribe_message.tenant_id
        and later_message.order_id = subscribe_message.order_id
        and later_message.scene = ${scene} and later_message.id > subscribe_message.id)
      or exists (select from sms_message sms where sms.tenant_id = subscribe_message.tenant_id
        and sms.order_id = subscribe_message.order_id
        and sms.scene = ${scene} and sms.created_at > subscribe_message.created_at))`);
  return row !== null;
}

/** Message of a receipt: by WeChat's msgId, else the one in flight to this person by this template. */
export async function findSubscribeOutcomes(
  db: Db,
  at: { tenantId: number; appId: string; openid: string; templateId: string; msgId: string },
): Promise<MessageKey | null> {
  return db.maybe(sql`
    select subscribe_message.tenant_id, subscribe_message.id from subscribe_message
    where subscribe_message.tenant_id = ${at.tenantId} and (subscribe_message.msg_id = ${at.msgId} or (
      subscribe_message.msg_id is null and subscribe_message.state = 'SENDING'
        and subscribe_message.app_id = ${at.appId}
      and subscribe_message.template_id = ${at.templateId} and subscribe_message.end_user_id = (
        select wechat_user.end_user_id from mini_program_user wechat_user
        where wechat_user.tenant_id = subscribe_message.tenant_id
          and wechat_user.app_id = subscribe_message.app_id and wechat_user.openid = ${at.openid})))
    order by subscribe_message.msg_id nulls last, subscribe_message.id desc limit 1`);
}

export function measureSubscribeQueue(db: Db): Promise<{ waiting: number; oldestSeconds: number }> {
  return db.one(sql`
    select count(*)::int as waiting,
      coalesce(extract(epoch from now() - min(next_at)), 0)::float8 as oldest_seconds
    from subscribe_message where state = 'QUEUED' and next_at <= now()`);
}

/** Erases contents an hour after settlement (no receipt comes later) and deduplication rows after 7 days. */
export async function forgetOld(db: Db): Promise<void> {
  await db.run(sql`
    update subscribe_message set sealed_content = ''::bytea
    where sealed_content <> ''::bytea and settled_at < now() - interval '1 hour'`);
  await db.run(sql`delete from order_telling where at < now() - interval '7 days'`);
}

export type MessageQuery = Input<typeof templateContract.messages>["query"];

/** Store-bound accounts see only messages about orders in their stores, as with text messages. */
function matching(session: Session, query: MessageQuery): Sql {
  return and(
    tenantPredicate(session, sql`subscribe_message.tenant_id`, query.tenantId),
    session.isStoreBound &&
      sql`exists (
        select from storage_order ord
        where ord.tenant_id = subscribe_message.tenant_id and ord.id = subscribe_message.order_id
          and ${storePredicate(session, sql`ord.tenant_id`, sql`ord.store_id`)})`,
    query.phone &&
      sql`exists (
        select from end_user where end_user.tenant_id = subscribe_message.tenant_id
          and end_user.id = subscribe_message.end_user_id
          and ${endUserPhoneSql(session, query.phone)})`,
    query.scene && sql`subscribe_message.scene = ${query.scene}`,
    query.state && sql`subscribe_message.state = ${query.state}`,
    query.orderId && sql`subscribe_message.order_id = ${query.orderId}`,
    periodSql(sql`subscribe_message.created_at`, query),
  );
}

/** With the number of an order instead of its column, PostgreSQL opens the month of this order alone. */
const columnsOf = (orderId = sql`subscribe_message.order_id`): Sql => sql`
  subscribe_message.id, subscribe_message.tenant_id, tenant.name as tenant_name,
  subscribe_message.created_at, subscribe_message.scene, subscribe_message.is_test, end_user.phone,
  subscribe_message.end_user_id,
  subscribe_message.template_id, coalesce((
    select template.subscribe_title from message_template template
    where template.tenant_id = subscribe_message.tenant_id
      and template.subscribe_id = subscribe_message.template_id limit 1), '')
    as template_title,
  subscribe_message.state, subscribe_message.attempts, subscribe_message.settled_at,
  subscribe_message.error_code, subscribe_message.problem, subscribe_message.sms_id,
  subscribe_message.order_id,
  (select ord.side from storage_order ord
    where ord.tenant_id = subscribe_message.tenant_id
      and ord.id = ${orderId}) as order_side`;
const beside = sql`
  join tenant on tenant.id = subscribe_message.tenant_id
  join end_user on end_user.tenant_id = subscribe_message.tenant_id
    and end_user.id = subscribe_message.end_user_id`;

/** Newest first. */
export function findMessages(
  db: Db,
  session: Session,
  query: MessageQuery,
): Promise<Page<SubscribeMessage>> {
  const matched = sql`from subscribe_message where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columnsOf()}
      from (select subscribe_message.* ${matched} order by subscribe_message.id desc ${pageLimits(query)}) subscribe_message ${beside}
      order by subscribe_message.id desc`,
  });
}

export function findMessagesOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<SubscribeMessage[]> {
  return db.many(sql`
    select ${columnsOf(sql`${orderId}`)} from subscribe_message ${beside}
    where subscribe_message.tenant_id = ${tenantId} and subscribe_message.order_id = ${orderId} order by subscribe_message.id`);
}

/** Erases a deleted person's allowances and message contents, which hold the phone for the fallback text. */
export async function forgetSubscriber(
  db: Db,
  { tenantId, endUserId }: { tenantId: number; endUserId: number },
): Promise<void> {
  const ofUser = sql`tenant_id = ${tenantId} and end_user_id = ${endUserId}`;
  await db.run(sql`
    update subscribe_message set sealed_content = '' where ${ofUser} and sealed_content <> ''`);
  await db.run(sql`delete from subscribe_allowance where ${ofUser}`);
}

/** Erases the content of settled messages that their tenant no longer keeps; returns their number. */
export function forgetOldMessages(db: Db, limit: number): Promise<number> {
  return db.run(sql`
    update subscribe_message set sealed_content = ''
    where (tenant_id, id) in (
      select tenant_id, id from subscribe_message
      where sealed_content <> '' and settled_at is not null
        and created_at < ${dueBeforeSql("keepMessagesDays", sql`subscribe_message.tenant_id`)}
      limit ${limit})`);
}

const RESTORED_PROBLEM = "恢复备份时还没有结果：可能已由恢复前的系统发出，未再发送";

/** Settles the messages of a restored backup as UNKNOWN: the former system may have sent them. */
export function settleRestored(db: Db): Promise<number> {
  return db.run(sql`
    update subscribe_message set state = 'UNKNOWN', next_at = null, settled_at = now(),
      problem = ${RESTORED_PROBLEM}, sealed_content = ''::bytea
    where state in ('QUEUED', 'SENDING')`);
}
