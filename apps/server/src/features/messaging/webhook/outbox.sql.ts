// SQL of the webhook outbox: numbers events, assigns receivers, claims and settles deliveries.
import type {
  AttemptOutcome,
  DeliveryPurpose,
  DeliveryState,
  EndpointState,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { MOST_AT_A_TIME } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import type { SentEventType } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";

/** Batch limits; the rest waits for the next turn. */
const NUMBERED_AT_ONCE = 500;
const TENANTS_AT_ONCE = 200;
const ENDPOINTS_AT_ONCE = 64;

export async function findUnnumberedTenants(db: Db): Promise<number[]> {
  const found = await db.many<{ tenantId: number }>(sql`
    select distinct tenant_id as "tenantId" from callback_event where seq is null
    limit ${TENANTS_AT_ONCE}`);
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
        where tenant_id = ${tenantId} and seq is null order by id limit ${NUMBERED_AT_ONCE}) e
    ), numbered as (
      update callback_event e set seq = s.last_seq + p.n,
        app_seq = case when p.app_id is not null then coalesce(a.last_seq, 0) + p.app_n end
      from picked p
      join callback_sequence s on s.tenant_id = ${tenantId} and s.app_id = 0
      left join callback_sequence a on a.tenant_id = ${tenantId} and a.app_id = p.app_id
      where e.tenant_id = ${tenantId} and e.id = p.id
      returning e.id, e.type, e.app_id
    ), counted as (
      insert into callback_sequence (tenant_id, app_id, last_seq)
      select ${tenantId}::int, coalesce(app_id, 0), count(*) from numbered
      group by grouping sets ((), (app_id)) having grouping(app_id) = 1 or app_id is not null
      on conflict (tenant_id, app_id)
        do update set last_seq = callback_sequence.last_seq + excluded.last_seq
    ), delivered as (
      insert into callback_delivery (tenant_id, endpoint_id, event_id)
      select ${tenantId}, p.id, e.id from numbered e
      join callback_endpoint p on p.tenant_id = ${tenantId} and ${wants(sql`p`, sql`e`)}
        and ${isOn(sql`p`)}
      order by e.id
      on conflict do nothing
      returning id
    )
    select (select count(*)::int from numbered) as numbered,
      (select count(*)::int from delivered) as deliveries`);
}

/** The endpoint `p` exists and subscribes to the event `e`. */
export const wants = (p: Sql, e: Sql) => sql`${p}.deleted_at is null
  and ${e}.type = any(${p}.types) and (${p}.app_id is null or ${p}.app_id = ${e}.app_id)`;

/**
 * The application of the endpoint `e` is disabled; such an endpoint gets nothing until it is
 * enabled.
 */
const isAppOff = (e: Sql) => sql`exists (select from open_app f
  where f.tenant_id = ${e}.tenant_id and f.id = ${e}.app_id and f.disabled_at is not null)`;

/** Effective state of the endpoint `e`: its own, or DISABLED with its application. */
export const stateOf = (e: Sql) =>
  sql`(case when ${isAppOff(e)} then 'DISABLED' else ${e}.state end)`;
const isOn = (e: Sql) => sql`${e}.state <> 'DISABLED' and not ${isAppOff(e)}`;

/** Returns deliveries with an expired lease to WAITING at once: whether they arrived is unknown. */
export function takeBackOrphans(db: Db): Promise<number> {
  return db.run(sql`
    with orphaned as (
      select d.tenant_id, d.id, p.deleted_at is not null as is_moot from callback_delivery d
      join callback_endpoint p on p.tenant_id = d.tenant_id and p.id = d.endpoint_id
      where d.state = 'SENDING' and d.leased_until < now()
      for no key update of d skip locked
    ), marked as (
      update callback_attempt a set outcome = 'UNKNOWN'
      from orphaned o
      where a.tenant_id = o.tenant_id and a.delivery_id = o.id and a.outcome is null
    )
    update callback_delivery d set lease = null, leased_until = null, last_outcome = 'UNKNOWN',
      last_status = null, state = case when o.is_moot then 'CANCELLED' else 'WAITING' end,
      next_at = case when not o.is_moot then now() end,
      ended_at = case when o.is_moot then now() end
    from orphaned o where d.tenant_id = o.tenant_id and d.id = o.id`);
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
 * Due deliveries of the endpoint `e`: tests and probes in any state, events only while it is on.
 */
const dueTrial = (d: Sql, e: Sql) => sql`${d}.tenant_id = ${e}.tenant_id
  and ${d}.endpoint_id = ${e}.id and ${d}.state = 'WAITING' and ${d}.purpose <> 'EVENT'
  and ${d}.next_at <= now()`;
const dueEvent = (d: Sql, e: Sql) => sql`${d}.tenant_id = ${e}.tenant_id
  and ${d}.endpoint_id = ${e}.id and ${d}.state = 'WAITING' and ${d}.purpose = 'EVENT'
  and ${d}.next_at <= now() and ${isOn(e)}`;

/** How many more deliveries the endpoint `e` may be sent concurrently. */
const freeSlots = (e: Sql) => sql`(
  case ${e}.state when 'FAILING' then 1 else ${MOST_AT_A_TIME} end - (
    select count(*) from callback_delivery b
    where b.tenant_id = ${e}.tenant_id and b.endpoint_id = ${e}.id and b.state = 'SENDING'))`;

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
    select e.tenant_id as "tenantId", e.id from callback_endpoint e
    where e.deleted_at is null
      and (exists (select from callback_delivery d where ${dueTrial(sql`d`, sql`e`)})
        or exists (select from callback_delivery d where ${dueEvent(sql`d`, sql`e`)}))
      and ${freeSlots(sql`e`)} > 0
    order by e.state = 'FAILING', random()
    limit ${ENDPOINTS_AT_ONCE}
    for no key update of e skip locked`);
  if (held.length === 0) return [];
  return db.many(sql`
    with held as (
      select e.tenant_id, e.id, e.state, e.url, e.app_id, ordinality,
        greatest(0, ${freeSlots(sql`e`)}) as slots
      from unnest(
        ${held.map(({ tenantId }) => tenantId)}::int[], ${held.map(({ id }) => id)}::bigint[])
        with ordinality h (tenant_id, id, ordinality)
      join callback_endpoint e using (tenant_id, id)
    ), offered as (
      select d.tenant_id, d.id, e.url, e.state = 'FAILING' as is_failing, d.turn, e.ordinality,
        row_number() over (partition by e.state = 'FAILING' order by d.turn, e.ordinality) as nth
      from held e
      cross join lateral (
        select o.tenant_id, o.id, row_number() over (order by o.rank, o.next_at, o.id) as turn
        from (
          (select d.tenant_id, d.id, d.next_at, 0 as rank from callback_delivery d
            where ${dueTrial(sql`d`, sql`e`)} order by d.next_at, d.id limit e.slots)
          union all
          (select d.tenant_id, d.id, d.next_at, 1 as rank from callback_delivery d
            where ${dueEvent(sql`d`, sql`e`)} order by d.next_at, d.id limit e.slots)) o
        order by o.rank, o.next_at, o.id limit e.slots
      ) d
    ), picked as (
      select tenant_id, id, url, is_failing from offered
      where not is_failing or nth <= ${room.failing}
      order by turn, ordinality limit ${room.all}
    ), taken as (
      update callback_delivery d set state = 'SENDING', next_at = null, lease = ${lease},
        leased_until = now() + make_interval(secs => ${leaseSeconds}), attempts = d.attempts + 1
      from picked p
      where d.tenant_id = p.tenant_id and d.id = p.id and d.state = 'WAITING'
      returning d.*, p.url, p.is_failing
    ), begun as (
      insert into callback_attempt (tenant_id, delivery_id, no, round, url)
      select tenant_id, id, attempts, round, url from taken
    )
    select d.tenant_id as "tenantId", d.id, d.endpoint_id as "endpointId", d.attempts as no,
      d.purpose, d.url, v.uid, v.at, v.type, v.data, ${seqFor(sql`p`, sql`v`)} as "tenantSeq",
      d.is_failing as "isFailing",
      array(select s.sealed from callback_secret s
        where s.tenant_id = d.tenant_id and s.endpoint_id = d.endpoint_id
          and (s.expires_at is null or s.expires_at > now())
        order by s.id desc) as "sealedSecrets"
    from taken d
    join callback_endpoint p on p.tenant_id = d.tenant_id and p.id = d.endpoint_id
    join callback_event v on v.tenant_id = d.tenant_id and v.id = d.event_id`);
}

/**
 * An application's endpoint gets its own sequence: the tenant's event count must not leak to it.
 */
export const seqFor = (p: Sql, v: Sql) =>
  sql`case when ${p}.app_id is not null and ${v}.seq > 0 then ${v}.app_seq else ${v}.seq end`;

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
    select state, failures, deleted_at is not null as "isDeleted" from callback_endpoint
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
    select d.failures from callback_delivery d
    where d.tenant_id = ${tenantId} and d.id = ${id} and d.lease = ${lease}
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
      (select count(*) from callback_delivery d
        join callback_endpoint e on e.tenant_id = d.tenant_id and e.id = d.endpoint_id
        where d.state = 'DEAD' and d.purpose = 'EVENT' and e.deleted_at is null)::int as dead,
      coalesce((
        select extract(epoch from now() - min(q.next_at)) from callback_endpoint e
        cross join lateral (
          select d.next_at from callback_delivery d
          where ${dueEvent(sql`d`, sql`e`)} order by d.next_at, d.id limit 1) q
        where e.deleted_at is null), 0)::float8 as "oldestSeconds"`);
}
