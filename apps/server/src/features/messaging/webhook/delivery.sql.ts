// SQL for listing and replaying webhook deliveries.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  DeliveryDetail,
  WebhookAttempt,
  WebhookDelivery,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import {
  type DeliveryPurpose,
  type DeliveryState,
  KEPT_DAYS,
  type ReplayKind,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import type { SentEventType } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";
import type { EndpointKey } from "./endpoint.sql.ts";
import { seqFor, stateOf, wants } from "./outbox.sql.ts";

export type DeliveryQuery = Input<typeof webhookContract.deliveries>["query"];

/** Deliveries of the tenant; a store-bound account sees those about orders of its stores. */
function isVisible(session: Session, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`delivery.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and exists (
    select from storage_order ord
    where ord.tenant_id = event.tenant_id and ord.id = event.order_id
      and ${storePredicate(session, sql`ord.tenant_id`, sql`ord.store_id`)})`;
}

const withEvent = sql`
  from callback_delivery delivery
  join callback_event event on event.tenant_id = delivery.tenant_id
    and event.id = delivery.event_id`;

function matching(session: Session, query: DeliveryQuery): Sql {
  const { endpointId, appId, state, type, purpose, outcome, orderId, from, to, tenantId } = query;
  const no = query.thirdPartyNo?.trim();
  const uid = query.event?.trim().replace(/^evt_/, "");
  const conditions = and(
    isVisible(session, tenantId),
    endpointId && sql`delivery.endpoint_id = ${endpointId}`,
    appId &&
      sql`delivery.endpoint_id in (select endpoint.id from callback_endpoint endpoint
        where endpoint.tenant_id = delivery.tenant_id and endpoint.app_id = ${appId})`,
    state && sql`delivery.state = ${state}`,
    type && sql`event.type = ${type}`,
    purpose && sql`delivery.purpose = ${purpose}`,
    outcome && sql`delivery.last_outcome = ${outcome}`,
    orderId && sql`event.order_id = ${orderId}`,
    no &&
      sql`event.order_id in (select ord.id from storage_order ord
        where ord.tenant_id = event.tenant_id and ord.third_party_no = ${no})`,
    uid && (isUuid(uid) ? sql`event.uid = ${uid}::uuid` : sql`false`),
    periodSql(sql`delivery.created_at`, { from, to }),
  );
  return sql`${withEvent} where ${conditions}`;
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

const columns = sql`
  delivery.id, delivery.tenant_id, tenant.name as tenant_name, delivery.endpoint_id,
  endpoint.name as endpoint_name, 'evt_' || event.uid as webhook_id, event.type, delivery.purpose,
  ${stateOf(sql`endpoint`)} as endpoint_state,
  endpoint.deleted_at is not null as is_endpoint_deleted, event.order_id, ord.side as order_side,
  event.data->>'thirdPartyNo' as third_party_no, delivery.state, delivery.attempts,
  delivery.failures, delivery.round, delivery.last_status, delivery.last_outcome,
  delivery.created_at, delivery.next_at, delivery.delivered_at`;

const withNames = sql`
  join callback_event event on event.tenant_id = delivery.tenant_id and event.id = delivery.event_id
  join callback_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id
    and endpoint.id = delivery.endpoint_id
  join tenant on tenant.id = delivery.tenant_id
  left join storage_order ord on ord.tenant_id = event.tenant_id and ord.id = event.order_id`;

/** Newest first. */
export function findDeliveries(
  db: Db,
  session: Session,
  query: DeliveryQuery,
): Promise<Page<WebhookDelivery>> {
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select delivery.* ${matched} order by delivery.id desc ${pageLimits(query)}) delivery ${withNames}
      order by delivery.id desc`,
  });
}

export interface DeliveryRow extends Omit<DeliveryDetail, "body" | "list"> {
  uid: string;
  data: Readonly<Record<string, unknown>>;
}

export function findDelivery(db: Db, session: Session, id: number): Promise<DeliveryRow | null> {
  return db.maybe(sql`
    select ${columns}, ${seqFor(sql`endpoint`, sql`event`)} as tenant_seq, event.at as happened_at,
      event.uid, event.data
    from callback_delivery delivery ${withNames}
    where delivery.id = ${id} and ${isVisible(session)}`);
}

/** Latest first. */
export function findAttempts(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
): Promise<WebhookAttempt[]> {
  return db.many(sql`
    select no, round, started_at, url, sent_at, signature, address, outcome, status, response_type,
      response_text, retry_after, detail, duration_ms
    from callback_attempt
    where tenant_id = ${tenantId} and delivery_id = ${id} order by no desc`);
}

/** Inserts a test or probe for this endpoint alone; its event takes no sequence number (seq 0). */
export async function insertTrial(
  db: Db,
  { tenantId, id }: EndpointKey,
  purpose: Exclude<DeliveryPurpose, "EVENT">,
  type: SentEventType,
): Promise<number> {
  const { deliveryId } = await db.one<{ deliveryId: number }>(sql`
    with event as (
      insert into callback_event (tenant_id, type, key, data, seq)
      values (${tenantId}, ${type}, gen_random_uuid()::text,
        ${JSON.stringify({ message: "这是一条测试回调，不代表任何业务" })}, 0)
      returning id
    )
    insert into callback_delivery (tenant_id, endpoint_id, event_id, purpose)
    select ${tenantId}, ${id}, event.id, ${purpose} from event
    returning id as delivery_id`);
  return deliveryId;
}

/**
 * Starts another round of a finished delivery: at once, from the beginning of the retry schedule.
 */
const anew = sql`state = 'WAITING', round = callback_delivery.round + 1, failures = 0,
  next_at = now(), ended_at = null`;

/** False when the delivery is still waiting or being sent. */
export async function replayOne(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
): Promise<boolean> {
  const changed = await db.run(sql`
    update callback_delivery set ${anew}
    where tenant_id = ${tenantId} and id = ${id} and state in ('DELIVERED', 'DEAD')`);
  return changed > 0;
}

export interface ReplayWindow {
  tenantId: number;
  endpointIds: readonly number[];
  from?: string;
  to?: string;
  kind: ReplayKind;
  /** Events of this application alone, within its own numbers. */
  ofApp?: { appId: number; fromSeq?: number; toSeq?: number };
}

const inRange = ({ tenantId, from, to, ofApp }: ReplayWindow) =>
  and(
    sql`event.tenant_id = ${tenantId} and event.seq > 0`,
    periodSql(sql`event.at`, { ...(from && { from }), ...(to && { to }) }),
    ofApp && sql`event.app_id = ${ofApp.appId} and event.app_seq > 0`,
    ofApp?.fromSeq && sql`event.app_seq >= ${ofApp.fromSeq}`,
    ofApp?.toSeq && sql`event.app_seq <= ${ofApp.toSeq}`,
  );

/**
 * Events of the window that the endpoints subscribe to now; deliveries still in progress are
 * skipped.
 */
const inWindow = (window: ReplayWindow) => sql`
  ${subscribed(window)} and (delivery.id is null or delivery.state = 'DEAD'
    or (${window.kind === "ALL"}::boolean and delivery.state = 'DELIVERED'))`;

const subscribed = (window: ReplayWindow) => sql`
  from callback_event event
  join callback_endpoint endpoint on endpoint.tenant_id = event.tenant_id
    and endpoint.id = any(${window.endpointIds}::bigint[])
    and ${wants(sql`endpoint`, sql`event`)}
  left join callback_delivery delivery on delivery.tenant_id = event.tenant_id
    and delivery.endpoint_id = endpoint.id
    and delivery.event_id = event.id
  where ${inRange(window)}`;

export interface ReplayScope {
  /** Events of the range, whether an endpoint subscribes to them or not. */
  events: number;
  /** Deliveries under way, which a replay leaves alone. */
  pending: number;
}

export function measureWindow(db: Db, window: ReplayWindow): Promise<ReplayScope> {
  return db.one(sql`
    select (select count(*)::int from callback_event event where ${inRange(window)}) as events,
      (select count(*)::int ${subscribed(window)}
        and delivery.state in ('WAITING', 'SENDING')) as pending`);
}

export interface ReplayPreview {
  count: number;
  firstAt: string | null;
  lastAt: string | null;
  types: { type: SentEventType; count: number }[];
}

export async function previewWindow(
  db: Db,
  window: ReplayWindow,
  most: number,
): Promise<ReplayPreview> {
  const rows = await db.many<{
    type: SentEventType;
    count: number;
    firstAt: string;
    lastAt: string;
  }>(sql`
    select type, count(*)::int as count, min(at) as first_at, max(at) as last_at
    from (select event.type, event.at ${inWindow(window)} order by event.id limit ${most + 1}) found
    group by type order by count(*) desc, type`);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return {
    count,
    firstAt: rows.map((row) => row.firstAt).sort()[0] ?? null,
    lastAt:
      rows
        .map((row) => row.lastAt)
        .sort()
        .at(-1) ?? null,
    types: rows.map(({ type, count: n }) => ({ type, count: n })),
  };
}

export function replayAll(db: Db, window: ReplayWindow): Promise<number> {
  return db.run(sql`
    insert into callback_delivery (tenant_id, endpoint_id, event_id)
    select event.tenant_id, endpoint.id, event.id ${inWindow(window)} order by event.id
    on conflict (tenant_id, endpoint_id, event_id) do update set ${anew}
      where callback_delivery.state in ('DELIVERED', 'DEAD')`);
}

export interface OrderDelivery {
  eventId: number;
  at: string;
  type: SentEventType;
  endpointName: string;
  state: DeliveryState;
  attempts: number;
}

/** For an order's timeline: its events and the endpoints they were sent to. */
export function findDeliveriesOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<OrderDelivery[]> {
  return db.many(sql`
    select event.id as event_id, event.at, event.type, endpoint.name as endpoint_name,
      delivery.state, delivery.attempts
    from callback_event event
    join callback_delivery delivery on delivery.tenant_id = event.tenant_id
      and delivery.event_id = event.id
    join callback_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id
      and endpoint.id = delivery.endpoint_id
    where event.tenant_id = ${tenantId} and event.order_id = ${orderId}
    order by delivery.id`);
}

export interface LatestWebhook {
  orderId: number;
  deliveryId: number;
  type: SentEventType;
  state: DeliveryState;
  /** When it was delivered, otherwise when it was created. */
  at: string;
  statusCode: number | null;
  /** The order's state at the time of the event. */
  orderState: OrderState | null;
}

/** For each order, the last webhook to the application that created it; used by order lists. */
export function findLatestWebhooks(
  db: Db,
  { tenantId, orderIds }: { tenantId: number; orderIds: readonly number[] },
): Promise<LatestWebhook[]> {
  return db.many(sql`
    select distinct on (event.order_id) event.order_id, delivery.id as delivery_id, event.type,
      delivery.state, coalesce(delivery.delivered_at, delivery.created_at) as at,
      delivery.last_status as status_code, event.data->>'state' as order_state
    from callback_event event
    join callback_delivery delivery on delivery.tenant_id = event.tenant_id and delivery.event_id = event.id
    join callback_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id and endpoint.id = delivery.endpoint_id
      and endpoint.app_id = event.app_id
    where event.tenant_id = ${tenantId} and event.order_id = any(${[...orderIds]}::bigint[])
    order by event.order_id, event.id desc, delivery.id desc`);
}

/** Deletes events past retention with their deliveries, even waiting ones. Returns how many. */
export function deleteOld(db: Db, limit: number): Promise<number> {
  return db.run(sql`
    delete from callback_event where (tenant_id, id) in (
      select tenant_id, id from callback_event
      where at < now() - make_interval(days => ${KEPT_DAYS}) and seq is not null limit ${limit})`);
}

/** Deletes expired secrets; they no longer sign. */
export async function deleteEndedSecrets(db: Db): Promise<void> {
  await db.run(sql`delete from callback_secret where expires_at < now()`);
}
