// SQL for the outbox of text messages.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { SmsMessage, smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { SmsState } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";
import { storePredicate } from "../../organization/store/index.ts";

export interface NewSms {
  tenantId: number;
  phone: string;
  scene: MessageScenario;
  sealedText: Buffer;
  sealedCarrier: Buffer | null;
  templateCode: string | null;
  segments: number;
  orderId: number | null;
  state: "OUTBOX" | "QUEUED";
  resendOf: number | null;
}

export async function insertSms(db: Db, message: NewSms): Promise<number> {
  const { tenantId, phone, scene, sealedText, segments, orderId } = message;
  const { id } = await db.one<{ id: number }>(sql`
    insert into sms_message (tenant_id, phone, scene, sealed_text, sealed_carrier, template_code,
      segments, order_id, state, due_at, resend_of)
    values (${tenantId}, ${phone}, ${scene}, ${sealedText}, ${message.sealedCarrier},
      ${message.templateCode}, ${segments}, ${orderId}, ${message.state},
      case when ${message.state}::text = 'QUEUED' then now() end, ${message.resendOf})
    returning id`);
  return id;
}

export type SmsQuery = Input<typeof smsContract.history>["query"];

/** Store-bound accounts see only messages about orders in their stores, whose codes open doors. */
export function isVisibleSql(session: Session, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`m.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and exists (
    select from storage_order o
    where o.tenant_id = m.tenant_id and o.id = m.order_id
      and ${storePredicate(session, sql`o.tenant_id`, sql`o.store_id`)})`;
}

function matching(session: Session, query: SmsQuery): Sql {
  const conditions = [isVisibleSql(session, query.tenantId)];
  if (query.phone) conditions.push(phoneSql(sql`m.phone`, query.phone));
  if (query.state) conditions.push(sql`m.state = ${query.state}`);
  if (query.scene) conditions.push(sql`m.scene = ${query.scene}`);
  if (query.orderId) conditions.push(sql`m.order_id = ${query.orderId}`);
  if (query.from) conditions.push(sql`m.created_at >= ${query.from}`);
  if (query.to) conditions.push(sql`m.created_at <= ${query.to}`);
  return join(conditions, " and ");
}

/** About goods in a compartment that are not there any more. */
const isMootSql = sql`m.scene in ('PICKUP_CODE', 'OVERDUE') and m.order_id is not null and not exists (
  select from live_order l where l.tenant_id = m.tenant_id and l.order_id = m.order_id)`;

const columns = sql`
  m.id, m.tenant_id as "tenantId", t.name as "tenantName", m.created_at as "createdAt",
  m.scene, m.phone, m.segments, m.order_id as "orderId",
  (select o.side from storage_order o
    where o.tenant_id = m.tenant_id and o.id = m.order_id) as "orderSide",
  m.state, m.carrier, m.template_code as "templateCode", m.carrier_no as "carrierNo",
  m.carrier_segments as "carrierSegments", case when m.sent_at is null then 0
    else m.segments end as "chargedSegments", m.attempts, m.sent_at as "sentAt",
  m.settled_at as "settledAt", m.result_code as "resultCode",
  m.result_text as "resultText", m.resend_of as "resendOf",
  (select r.id from sms_message r
    where r.tenant_id = m.tenant_id and r.resend_of = m.id) as "resentById",
  ${isMootSql} as "isMoot"`;

/** Newest first. */
export function findSms(db: Db, session: Session, query: SmsQuery): Promise<Page<SmsMessage>> {
  const matched = sql`
    from sms_message m join tenant t on t.id = m.tenant_id where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`select ${columns} ${matched} order by m.id desc ${pageLimits(query)}`,
  });
}

export function findSmsOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<SmsMessage[]> {
  return db.many(sql`
    select ${columns} from sms_message m join tenant t on t.id = m.tenant_id
    where m.tenant_id = ${tenantId} and m.order_id = ${orderId} order by m.id`);
}

export interface SealedSms {
  tenantId: number;
  scene: MessageScenario;
  phone: string;
  sealedText: Buffer;
  orderId: number | null;
}

export function findSealedSms(db: Db, session: Session, id: number): Promise<SealedSms | null> {
  return db.maybe(sql`
    select m.tenant_id as "tenantId", m.scene, m.phone, m.sealed_text as "sealedText",
      m.order_id as "orderId"
    from sms_message m
    where m.id = ${id} and ${isVisibleSql(session)}`);
}

export interface ResendableSms extends SealedSms {
  state: SmsState;
  sealedCarrier: Buffer | null;
  templateCode: string | null;
  resentById: number | null;
  isMoot: boolean;
}

/** Locks the message: a concurrent resend waits and then sees `resentById`. */
export async function lockResendable(
  db: Db,
  session: Session,
  id: number,
): Promise<ResendableSms | null> {
  const locked = await db.maybe(sql`
    select from sms_message m where m.id = ${id} and ${isVisibleSql(session)} for update`);
  if (!locked) return null;
  return db.maybe(sql`
    select m.tenant_id as "tenantId", m.scene, m.phone, m.sealed_text as "sealedText",
      m.sealed_carrier as "sealedCarrier", m.template_code as "templateCode",
      m.order_id as "orderId", m.state, (
        select r.id from sms_message r
        where r.tenant_id = m.tenant_id and r.resend_of = m.id) as "resentById",
      ${isMootSql} as "isMoot"
    from sms_message m where m.id = ${id}`);
}
