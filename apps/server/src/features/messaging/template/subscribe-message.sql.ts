// SQL for subscribe messages: claim, settle, list.
import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { SubscribeState } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import type {
  SubscribeMessage,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";
import { storePredicate } from "../../organization/store/index.ts";

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
  m.tenant_id as "tenantId", m.id, m.scene, m.end_user_id as "endUserId", m.app_id as "appId",
  m.template_id as "templateId", m.order_id as "orderId", m.sealed_content as "sealedContent",
  m.has_fallback as "hasFallback", m.is_counted as "isCounted", m.attempts,
  (select u.openid from mini_program_user u where u.tenant_id = m.tenant_id
    and u.app_id = m.app_id and u.end_user_id = m.end_user_id) as openid`;

/** Claims due messages with SKIP LOCKED; from here on WeChat may have received them. */
export function claimDue(db: Db, tenantId: number, limit: number): Promise<Claimed[]> {
  return db.many(sql`
    with due as (
      select tenant_id, id from subscribe_message
      where tenant_id = ${tenantId} and state = 'QUEUED' and next_at <= now()
      order by next_at limit ${limit} for update skip locked
    )
    update subscribe_message m set state = 'SENDING', attempts = m.attempts + 1, next_at = null,
      claimed_at = now()
    from due where m.tenant_id = due.tenant_id and m.id = due.id
    returning ${claimedColumns}`);
}

/** Locks the message if it is in one of these states; null otherwise. */
export function lockMessage(
  db: Db,
  { tenantId, id }: MessageKey,
  states: readonly SubscribeState[],
): Promise<Claimed | null> {
  return db.maybe(sql`
    select ${claimedColumns} from subscribe_message m
    where m.tenant_id = ${tenantId} and m.id = ${id} and m.state = any(${[...states]}::text[])
    for no key update of m`);
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
    select 1 from subscribe_message m
    where m.tenant_id = ${tenantId} and m.id = ${id} and (
      exists (select from subscribe_message n where n.tenant_id = m.tenant_id
        and n.order_id = m.order_id and n.scene = ${scene} and n.id > m.id)
      or exists (select from sms_message s where s.tenant_id = m.tenant_id
        and s.order_id = m.order_id and s.scene = ${scene} and s.created_at > m.created_at))`);
  return row !== null;
}

/** Message of a receipt: by WeChat's msgId, else the one in flight to this person by this template. */
export async function findSubscribeOutcomes(
  db: Db,
  at: { tenantId: number; appId: string; openid: string; templateId: string; msgId: string },
): Promise<MessageKey | null> {
  return db.maybe(sql`
    select m.tenant_id as "tenantId", m.id from subscribe_message m
    where m.tenant_id = ${at.tenantId} and (m.msg_id = ${at.msgId} or (
      m.msg_id is null and m.state = 'SENDING' and m.app_id = ${at.appId}
      and m.template_id = ${at.templateId} and m.end_user_id = (
        select u.end_user_id from mini_program_user u
        where u.tenant_id = m.tenant_id and u.app_id = m.app_id and u.openid = ${at.openid})))
    order by m.msg_id nulls last, m.id desc limit 1`);
}

/** Tenants with due messages, and messages claimed over 60 seconds ago without a result. */
export async function findUnfinished(
  db: Db,
  limit: number,
): Promise<{ tenantIds: number[]; lost: MessageKey[] }> {
  const [due, lost] = await Promise.all([
    db.many<{ tenantId: number }>(sql`
      select distinct tenant_id as "tenantId" from subscribe_message
      where state = 'QUEUED' and next_at <= now()`),
    db.many<MessageKey>(sql`
      select tenant_id as "tenantId", id from subscribe_message
      where state = 'SENDING' and claimed_at < now() - interval '60 seconds'
      order by claimed_at limit ${limit}`),
  ]);
  return { tenantIds: due.map(({ tenantId }) => tenantId), lost };
}

export function measureSubscribeQueue(db: Db): Promise<{ waiting: number; oldestSeconds: number }> {
  return db.one(sql`
    select count(*)::int as waiting,
      coalesce(extract(epoch from now() - min(next_at)), 0)::float8 as "oldestSeconds"
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
  const conditions = [tenantPredicate(session, sql`m.tenant_id`, query.tenantId)];
  if (session.isStoreBound) {
    conditions.push(sql`exists (
      select from storage_order o
      where o.tenant_id = m.tenant_id and o.id = m.order_id
        and ${storePredicate(session, sql`o.tenant_id`, sql`o.store_id`)})`);
  }
  if (query.phone) {
    conditions.push(sql`exists (
      select from end_user u where u.tenant_id = m.tenant_id and u.id = m.end_user_id
        and ${phoneSql(sql`u.phone`, query.phone)})`);
  }
  if (query.scene) conditions.push(sql`m.scene = ${query.scene}`);
  if (query.state) conditions.push(sql`m.state = ${query.state}`);
  if (query.orderId) conditions.push(sql`m.order_id = ${query.orderId}`);
  if (query.from) conditions.push(sql`m.created_at >= ${query.from}`);
  if (query.to) conditions.push(sql`m.created_at <= ${query.to}`);
  return join(conditions, " and ");
}

const shownColumns = sql`
  m.id, m.tenant_id as "tenantId", t.name as "tenantName", m.created_at as "createdAt",
  m.scene, m.is_test as "isTest", u.phone, m.end_user_id as "endUserId",
  m.template_id as "templateId", coalesce((
    select c.subscribe_title from message_template c
    where c.tenant_id = m.tenant_id and c.subscribe_id = m.template_id limit 1), '')
    as "templateTitle",
  m.state, m.attempts, m.settled_at as "settledAt", m.error_code as "errorCode", m.problem,
  m.sms_id as "smsId", m.order_id as "orderId",
  (select o.side from storage_order o
    where o.tenant_id = m.tenant_id and o.id = m.order_id) as "orderSide"`;
const beside = sql`
  join tenant t on t.id = m.tenant_id
  join end_user u on u.tenant_id = m.tenant_id and u.id = m.end_user_id`;

/** Newest first. */
export function findMessages(
  db: Db,
  session: Session,
  query: MessageQuery,
): Promise<Page<SubscribeMessage>> {
  const matched = sql`from subscribe_message m where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${shownColumns}
      from (select m.* ${matched} order by m.id desc ${pageLimits(query)}) m ${beside}
      order by m.id desc`,
  });
}

export function findMessagesOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<SubscribeMessage[]> {
  return db.many(sql`
    select ${shownColumns} from subscribe_message m ${beside}
    where m.tenant_id = ${tenantId} and m.order_id = ${orderId} order by m.id`);
}
