// SQL for the outbox of text messages.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { SmsMessage, smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import type { SmsState } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
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
  const isOfTenant = tenantPredicate(session, sql`sms.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and exists (
    select from storage_order ord
    where ord.tenant_id = sms.tenant_id and ord.id = sms.order_id
      and ${storePredicate(session, sql`ord.tenant_id`, sql`ord.store_id`)})`;
}

function matching(session: Session, query: SmsQuery): Sql {
  return and(
    isVisibleSql(session, query.tenantId),
    query.phone && phoneSql(sql`sms.phone`, query.phone),
    query.state && sql`sms.state = ${query.state}`,
    query.scene && sql`sms.scene = ${query.scene}`,
    query.orderId && sql`sms.order_id = ${query.orderId}`,
    periodSql(sql`sms.created_at`, query),
  );
}

/** About goods in a compartment that are not there any more. */
const isMootSql = sql`sms.scene in ('PICKUP_CODE', 'OVERDUE') and sms.order_id is not null
  and not exists (
  select from live_order where live_order.tenant_id = sms.tenant_id
    and live_order.order_id = sms.order_id)`;

/** With the number of an order instead of its column, PostgreSQL opens the month of this order alone. */
const columnsOf = (orderId = sql`sms.order_id`): Sql => sql`
  sms.id, sms.tenant_id, tenant.name as tenant_name, sms.created_at, sms.scene, sms.phone,
  sms.segments, sms.order_id,
  (select ord.side from storage_order ord
    where ord.tenant_id = sms.tenant_id and ord.id = ${orderId}) as order_side,
  sms.state, sms.carrier, sms.template_code, sms.carrier_no, sms.carrier_segments,
  case when sms.sent_at is null then 0
    else sms.segments end as charged_segments, sms.attempts, sms.sent_at,
  sms.settled_at, sms.result_code, sms.result_text, sms.resend_of,
  (select resent_sms.id from sms_message resent_sms
    where resent_sms.tenant_id = sms.tenant_id and resent_sms.resend_of = sms.id) as resent_by_id,
  ${isMootSql} as is_moot`;

/** Newest first. */
export function findSms(db: Db, session: Session, query: SmsQuery): Promise<Page<SmsMessage>> {
  const matched = sql`
    from sms_message sms join tenant on tenant.id = sms.tenant_id
    where ${matching(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`select ${columnsOf()} ${matched} order by sms.id desc ${pageLimits(query)}`,
  });
}

export function findSmsOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<SmsMessage[]> {
  return db.many(sql`
    select ${columnsOf(sql`${orderId}`)} from sms_message sms join tenant on tenant.id = sms.tenant_id
    where sms.tenant_id = ${tenantId} and sms.order_id = ${orderId} order by sms.id`);
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
    select sms.tenant_id, sms.scene, sms.phone, sms.sealed_text, sms.order_id
    from sms_message sms
    where sms.id = ${id} and ${isVisibleSql(session)}`);
}

/** Newest first; without the ones whose person was deleted or whose text is no longer kept. */
export function findSealedSmsOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
  scene: MessageScenario,
): Promise<SealedSms[]> {
  return db.many(sql`
    select sms.tenant_id, sms.scene, sms.phone, sms.sealed_text, sms.order_id
    from sms_message sms
    where sms.tenant_id = ${tenantId} and sms.order_id = ${orderId} and sms.scene = ${scene}
      and sms.sealed_text <> ''
    order by sms.id desc`);
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
    select from sms_message sms where sms.id = ${id} and ${isVisibleSql(session)} for update`);
  if (!locked) return null;
  return db.maybe(sql`
    select sms.tenant_id, sms.scene, sms.phone, sms.sealed_text, sms.sealed_carrier,
      sms.template_code,
      sms.order_id, sms.state, (
        select resent_sms.id from sms_message resent_sms
        where resent_sms.tenant_id = sms.tenant_id
          and resent_sms.resend_of = sms.id) as resent_by_id,
      ${isMootSql} as is_moot
    from sms_message sms where sms.id = ${id}`);
}
