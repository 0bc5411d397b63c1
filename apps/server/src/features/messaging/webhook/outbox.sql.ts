// SQL of the webhook outbox: numbers events, assigns receivers, claims and settles deliveries.
import type {
  AttemptOutcome,
  DeliveryPurpose,
  DeliveryState,
  EndpointState,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { MOST_AT_A_TIME } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import type { SentEventType } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

/** Batch limits; the rest waits for the next turn. */
const NUMBERED_AT_ONCE = 500;
const TENANTS_AT_ONCE = 200;
const ENDPOINTS_AT_ONCE = 64;

export async function findUnnumberedTenants(db: Db): Promise<number[]> {
  const found = await db.many<{ tenantId: number }>(sql`
    select distinct tenant_id from callback_event where seq is null limit ${TENANTS_AT_ONCE}`);
  return found.map(({ tenantId }) => tenantId);
}

/** Whether this transaction got the exclusive right to number the tenant's events (SKIP LOCKED). */
export async function lockSequence(db: Db, tenantId: number): Promise<boolean> {
  await db.run(sql`
    insert into callback_sequence (tenant_id, app_id) values (${tenantId}, 0)
    on conflict do nothing`);
  const held = await db.maybe(sql`
    select from callback_sequence where tenant_id = ${tenantId} and app_id = 0
    for update skip locked`);
  return held !== null;
}

/**
 * Numbers committed events in insertion order and creates deliveries for the endpoints that
 * subscribe to them. A later commit always gets a greater number, so that a reader who has seen n
 * never sees a smaller one appear.
 */
export async function numberEvents(
  db: Db,
  tenantId: number,
): Promise<{ numbered: number; deliveries: number }> {
  return db.one(sql`
    with picked as (
      select id, app_id, row_number() over (order by id) as n,
        row_number() over (partition by app_id order by id) as app_n
      from (
        select id, app_id from callback_event
        where tenant_id = ${tenantId} and seq is null order by id
        limit ${NUMBERED_AT_ONCE}) unnumbered
    ), numbered as (
      update callback_event event set seq = sequence.last_seq + picked.n,
        app_seq = case when picked.app_id is not null
          then coalesce(app_sequence.last_seq, 0) + picked.app_n end
      from picked
      join callback_sequence sequence on sequence.tenant_id = ${tenantId} and sequence.app_id = 0
      left join callback_sequence app_sequence
        on app_sequence.tenant_id = ${tenantId} and app_sequence.app_id = picked.app_id
      where event.tenant_id = ${tenantId} and event.id = picked.id
      returning event.id, event.type, event.app_id
    ), counted as (
      insert into callback_sequence (tenant_id, app_id, last_seq)
      select ${tenantId}::int, coalesce(app_id, 0), count(*) from numbered
      group by grouping sets ((), (app_id)) having grouping(app_id) = 1 or app_id is not null
      on conflict (tenant_id, app_id)
        do update set last_seq = callback_sequence.last_seq + excluded.last_seq
    ), delivered as (
      insert into callback_delivery (tenant_id, endpoint_id, event_id)
      select ${tenantId}, endpoint.id, numbered.id from numbered
      join callback_endpoint endpoint on endpoint.tenant_id = ${tenantId} and ${wants(sql`endpoint`, sql`numbered`)}
        and ${isOn(sql`endpoint`)}
      order by numbered.id
      on conflict do nothing
      returning id
    )
    select (select count(*)::int from numbered) as numbered,
      (select count(*)::int from delivered) as deliveries`);
}

/** The endpoint exists and subscribes to the event. */
export const wants = (endpoint: Sql, event: Sql) => sql`${endpoint}.deleted_at is null
  and ${event}.type = any(${endpoint}.types) and (${endpoint}.app_id is null or ${endpoint}.app_id = ${event}.app_id)`;

/**
 * The application of the endpoint is disabled; such an endpoint gets nothing until it is
 * enabled.
 */
const isAppOff = (endpoint: Sql) => sql`exists (select from open_app app
  where app.tenant_id = ${endpoint}.tenant_id and app.id = ${endpoint}.app_id and app.disabled_at is not null)`;

/** Effective state of the endpoint: its own, or DISABLED with its application. */
export const stateOf = (endpoint: Sql) =>
  sql`(case when ${isAppOff(endpoint)} then 'DISABLED' else ${endpoint}.state end)`;
const isOn = (endpoint: Sql) => sql`${endpoint}.state <> 'DISABLED' and not ${isAppOff(endpoint)}`;

/** Returns deliveries with an expired lease to WAITING at once: whether they arrived is unknown. */
export function takeBackOrphans(db: Db): Promise<number> {
  return db.run(sql`
    with orphaned as (
      select delivery.tenant_id, delivery.id, endpoint.deleted_at is not null as is_moot
      from callback_delivery delivery
      join callback_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id
        and endpoint.id = delivery.endpoint_id
      where delivery.state = 'SENDING' and delivery.leased_until < now()
      for no key update of delivery skip locked
    ), marked as (
      update callback_attempt attempt set outcome = 'UNKNOWN'
      from orphaned
      where attempt.tenant_id = orphaned.tenant_id and attempt.delivery_id = orphaned.id
        and attempt.outcome is null
    )
    update callback_delivery delivery set lease = null, leased_until = null,
      last_outcome = 'UNKNOWN',
      last_status = null, state = case when orphaned.is_moot then 'CANCELLED' else 'WAITING' end,
      next_at = case when not orphaned.is_moot then now() end,
      ended_at = case when orphaned.is_moot then now() end
    from orphaned where delivery.tenant_id = orphaned.tenant_id and delivery.id = orphaned.id`);
}

/** A delivery leased by this process. */
export interface TakenDelivery {
  tenantId: number;
  id: number;
  endpointId: number;
  no: number;
  purpose: DeliveryPurpose;
  url: string;
  uid: string;
  at: string;
  type: SentEventType;
  tenantSeq: number;
  data: Readonly<Record<string, unknown>>;
  sealedSecrets: Buffer[];
  /** The endpoint is FAILING: its latest attempts all failed. */
  isFailing: boolean;
}

/**
 * Due deliveries of the endpoint: tests and probes in any state, events only while it is on.
 */
const dueTrial = (delivery: Sql, endpoint: Sql) => sql`${delivery}.tenant_id = ${endpoint}.tenant_id
  and ${delivery}.endpoint_id = ${endpoint}.id and ${delivery}.state = 'WAITING' and ${delivery}.purpose <> 'EVENT'
  and ${delivery}.next_at <= now()`;
const dueEvent = (delivery: Sql, endpoint: Sql) => sql`${delivery}.tenant_id = ${endpoint}.tenant_id
  and ${delivery}.endpoint_id = ${endpoint}.id and ${delivery}.state = 'WAITING' and ${delivery}.purpose = 'EVENT'
  and ${delivery}.next_at <= now() and ${isOn(endpoint)}`;

/** How many more deliveries the endpoint may be sent concurrently. */
const freeSlots = (endpoint: Sql) => sql`(
  case ${endpoint}.state when 'FAILING' then 1 else ${MOST_AT_A_TIME} end - (
    select count(*) from callback_delivery delivery
    where delivery.tenant_id = ${endpoint}.tenant_id and delivery.endpoint_id = ${endpoint}.id
      and delivery.state = 'SENDING'))`;

export interface Room {
  /** Free slots of this process: in total, and for failing endpoints. */
  all: number;
  failing: number;
}

/**
 * Claims due deliveries, at most MOST_AT_A_TIME per endpoint over all processes: the counting
 * transaction locks the endpoint. A FAILING one gets one slot and comes last; the others come in
 * random order, for fairness.
 */
export async function takeDue(
  db: Db,
  { lease, leaseSeconds, room }: { lease: string; leaseSeconds: number; room: Room },
): Promise<TakenDelivery[]> {
  const held = await db.many<{ tenantId: number; id: number }>(sql`
    select endpoint.tenant_id, endpoint.id from callback_endpoint endpoint
    where endpoint.deleted_at is null
      and (exists (select from callback_delivery delivery
        where ${dueTrial(sql`delivery`, sql`endpoint`)})
        or exists (select from callback_delivery delivery
          where ${dueEvent(sql`delivery`, sql`endpoint`)}))
      and ${freeSlots(sql`endpoint`)} > 0
    order by endpoint.state = 'FAILING', random()
    limit ${ENDPOINTS_AT_ONCE}
    for no key update of endpoint skip locked`);
  if (held.length === 0) return [];
  return db.many(sql`
    with held as (
      select endpoint.tenant_id, endpoint.id, endpoint.state, endpoint.url, endpoint.app_id,
        ordinality,
        greatest(0, ${freeSlots(sql`endpoint`)}) as slots
      from unnest(
        ${held.map(({ tenantId }) => tenantId)}::int[], ${held.map(({ id }) => id)}::bigint[])
        with ordinality input (tenant_id, id, ordinality)
      join callback_endpoint endpoint using (tenant_id, id)
    ), offered as (
      select delivery.tenant_id, delivery.id, held.url, held.state = 'FAILING' as is_failing,
        delivery.turn, held.ordinality,
        row_number() over (partition by held.state = 'FAILING'
          order by delivery.turn, held.ordinality) as nth
      from held
      cross join lateral (
        select candidate.tenant_id, candidate.id,
          row_number() over (order by candidate.rank, candidate.next_at, candidate.id) as turn
        from (
          (select delivery.tenant_id, delivery.id, delivery.next_at, 0 as rank
            from callback_delivery delivery
            where ${dueTrial(sql`delivery`, sql`held`)} order by delivery.next_at, delivery.id
            limit held.slots)
          union all
          (select delivery.tenant_id, delivery.id, delivery.next_at, 1 as rank
            from callback_delivery delivery
            where ${dueEvent(sql`delivery`, sql`held`)} order by delivery.next_at, delivery.id
            limit held.slots)) candidate
        order by candidate.rank, candidate.next_at, candidate.id limit held.slots
      ) delivery
    ), picked as (
      select tenant_id, id, url, is_failing from offered
      where not is_failing or nth <= ${room.failing}
      order by turn, ordinality limit ${room.all}
    ), taken as (
      update callback_delivery delivery set state = 'SENDING', next_at = null, lease = ${lease},
        leased_until = now() + make_interval(secs => ${leaseSeconds}),
        attempts = delivery.attempts + 1
      from picked
      where delivery.tenant_id = picked.tenant_id and delivery.id = picked.id
        and delivery.state = 'WAITING'
      returning delivery.*, picked.url, picked.is_failing
    ), begun as (
      insert into callback_attempt (tenant_id, delivery_id, no, round, url)
      select tenant_id, id, attempts, round, url from taken
    )
    select taken.tenant_id, taken.id, taken.endpoint_id, taken.attempts as no, taken.purpose,
      taken.url, event.uid, event.at, event.type, event.data,
      ${seqFor(sql`endpoint`, sql`event`)} as tenant_seq, taken.is_failing,
      array(select callback_secret.sealed from callback_secret
        where callback_secret.tenant_id = taken.tenant_id
          and callback_secret.endpoint_id = taken.endpoint_id
          and (callback_secret.expires_at is null or callback_secret.expires_at > now())
        order by callback_secret.id desc) as sealed_secrets
    from taken
    join callback_endpoint endpoint on endpoint.tenant_id = taken.tenant_id
      and endpoint.id = taken.endpoint_id
    join callback_event event on event.tenant_id = taken.tenant_id and event.id = taken.event_id`);
}

/**
 * An application's endpoint gets its own sequence: the tenant's event count must not leak to it.
 */
export const seqFor = (endpoint: Sql, event: Sql) =>
  sql`case when ${endpoint}.app_id is not null and ${event}.seq > 0 then ${event}.app_seq else ${event}.seq end`;

export interface LockedEndpoint {
  state: EndpointState;
  failures: number;
  isDeleted: boolean;
}

/** Locks the endpoint; callers lock it before its deliveries, the same order as `takeDue`. */
export async function lockEndpointForDelivery(
  db: Db,
  { tenantId, endpointId }: { tenantId: number; endpointId: number },
): Promise<LockedEndpoint> {
  return db.one(sql`
    select state, failures, deleted_at is not null as is_deleted from callback_endpoint
    where tenant_id = ${tenantId} and id = ${endpointId}
    for no key update`);
}

export interface SettledAttempt {
  tenantId: number;
  deliveryId: number;
  no: number;
  /** The next three are null when nothing was sent. */
  sentAt: string | null;
  signature: string | null;
  durationMs: number | null;
  outcome: AttemptOutcome;
  status: number | null;
  responseType: string | null;
  responseText: string | null;
  retryAfter: number | null;
  address: string | null;
  detail: string | null;
}

export async function saveAttempt(db: Db, attempt: SettledAttempt): Promise<void> {
  const { tenantId, deliveryId, no } = attempt;
  await db.run(sql`
    update callback_attempt set sent_at = ${attempt.sentAt}, signature = ${attempt.signature},
      outcome = ${attempt.outcome}, status = ${attempt.status},
      response_type = ${attempt.responseType}, response_text = ${attempt.responseText},
      retry_after = ${attempt.retryAfter}, address = ${attempt.address},
      detail = ${attempt.detail}, duration_ms = ${attempt.durationMs}
    where tenant_id = ${tenantId} and delivery_id = ${deliveryId} and no = ${no}`);
}

/** Failures of this round before this attempt; null when the lease was lost. */
export function lockLeased(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  lease: string,
): Promise<{ failures: number } | null> {
  return db.maybe(sql`
    select delivery.failures from callback_delivery delivery
    where delivery.tenant_id = ${tenantId} and delivery.id = ${id} and delivery.lease = ${lease}
    for no key update`);
}

export interface DeliveryEnd {
  state: DeliveryState;
  failures: number;
  /** Delay in seconds while WAITING; null in every other state. */
  inSeconds: number | null;
  outcome: AttemptOutcome;
  status: number | null;
}

export async function saveDelivery(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  { state, failures, inSeconds, outcome, status }: DeliveryEnd,
): Promise<void> {
  await db.run(sql`
    update callback_delivery set state = ${state}, failures = ${failures}, lease = null,
      leased_until = null, last_outcome = ${outcome}, last_status = ${status},
      next_at = now() + make_interval(secs => ${inSeconds}::float8),
      delivered_at = case when ${state} = 'DELIVERED' then now() else delivered_at end,
      ended_at = case when ${state} <> 'WAITING' then now() end
    where tenant_id = ${tenantId} and id = ${id}`);
}

export interface EndpointHealth {
  state: EndpointState;
  failures: number;
  /** The reason for a new state; null leaves the state unchanged. */
  reason: string | null;
  isSuccess: boolean;
}

export async function saveHealth(
  db: Db,
  { tenantId, endpointId }: { tenantId: number; endpointId: number },
  { state, failures, reason, isSuccess }: EndpointHealth,
): Promise<void> {
  await db.run(sql`
    update callback_endpoint set state = ${state}, failures = ${failures},
      state_reason = coalesce(${reason}, state_reason),
      state_at = case when ${reason}::text is null then state_at else now() end,
      last_success_at = case when ${isSuccess}::boolean then now() else last_success_at end,
      last_failure_at = case when ${isSuccess}::boolean then last_failure_at else now() end
    where tenant_id = ${tenantId} and id = ${endpointId}`);
}

export async function saveProbe(
  db: Db,
  { tenantId, endpointId }: { tenantId: number; endpointId: number },
  result: "REFUSED" | "ACCEPTED" | "UNCLEAR",
): Promise<void> {
  await db.run(sql`
    update callback_endpoint set probe_result = ${result}, probed_at = now()
    where tenant_id = ${tenantId} and id = ${endpointId}`);
}

export interface QueueFigures {
  waiting: number;
  oldestSeconds: number;
  dead: number;
}

/**
 * Deliveries in the queue, age of the oldest due one in seconds, and number given up on existing
 * endpoints. Each count uses an index of its own.
 */
export function measureQueue(db: Db): Promise<QueueFigures> {
  return db.one(sql`
    select (select count(*) from callback_delivery where state = 'WAITING' and purpose = 'EVENT')::int
        + (select count(*) from callback_delivery where state = 'WAITING' and purpose <> 'EVENT')::int
        + (select count(*) from callback_delivery where state = 'SENDING')::int as waiting,
      (select count(*) from callback_delivery delivery
        join callback_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id
          and endpoint.id = delivery.endpoint_id
        where delivery.state = 'DEAD' and delivery.purpose = 'EVENT'
          and endpoint.deleted_at is null)::int as dead,
      coalesce((
        select extract(epoch from now() - min(first_due.next_at)) from callback_endpoint endpoint
        cross join lateral (
          select delivery.next_at from callback_delivery delivery
          where ${dueEvent(sql`delivery`, sql`endpoint`)} order by delivery.next_at, delivery.id
          limit 1) first_due
        where endpoint.deleted_at is null), 0)::float8 as oldest_seconds`);
}
