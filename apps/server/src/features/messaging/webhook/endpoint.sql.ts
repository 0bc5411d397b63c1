// SQL for webhook endpoints and their secrets.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  EndpointDetail,
  EndpointDraft,
  WebhookEndpoint,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import type { EndpointState } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { stateOf } from "./outbox.sql.ts";

export type EndpointQuery = Input<typeof webhookContract.endpoints>["query"];

export interface EndpointKey {
  tenantId: number;
  id: number;
}

function matching(session: Session, query: EndpointQuery): Sql {
  const { keyword, state, type, appId, tenantId } = query;
  const conditions = and(
    tenantPredicate(session, sql`endpoint.tenant_id`, tenantId),
    sql`endpoint.deleted_at is null`,
    textSql(keyword, sql`endpoint.name`, sql`endpoint.url`),
    state && sql`${stateOf(sql`endpoint`)} = ${state}`,
    type && sql`${type} = any(endpoint.types)`,
    appId && sql`endpoint.app_id = ${appId}`,
  );
  return sql`from callback_endpoint endpoint where ${conditions}`;
}

const appStateOf = (app: Sql) =>
  sql`case when ${app}.disabled_at is null then 'ENABLED' else 'DISABLED' end`;

const columns = sql`
  endpoint.id, endpoint.tenant_id, tenant.name as tenant_name, endpoint.name, endpoint.url,
  endpoint.types, endpoint.app_id, app.name as app_name,
  case when app.id is not null then ${appStateOf(sql`app`)} end as app_state,
  ${stateOf(sql`endpoint`)} as state, case when app.disabled_at is null then endpoint.state_reason
    else ${"接口应用已停用："} || coalesce(app.disabled_reason, '') end as state_reason,
  coalesce(app.disabled_at, endpoint.state_at) as state_at, endpoint.failures,
  endpoint.last_success_at, endpoint.last_failure_at, endpoint.probe_result, endpoint.probed_at,
  endpoint.edit_version, endpoint.edited_at, endpoint.edited_by, backlog.waiting, backlog.dead,
  recent.delivered as "delivered24h", recent.failed as "failed24h"`;

const withHealth = sql`
  join tenant on tenant.id = endpoint.tenant_id
  left join open_app app on app.tenant_id = endpoint.tenant_id and app.id = endpoint.app_id
  cross join lateral (
    select (select count(*) from callback_delivery delivery
      where delivery.tenant_id = endpoint.tenant_id
          and delivery.endpoint_id = endpoint.id and delivery.state = 'WAITING'
          and delivery.purpose = 'EVENT')::int
        + (select count(*) from callback_delivery delivery
          where delivery.tenant_id = endpoint.tenant_id
          and delivery.endpoint_id = endpoint.id and delivery.state = 'WAITING'
          and delivery.purpose <> 'EVENT')::int
        + (select count(*) from callback_delivery delivery where delivery.tenant_id = endpoint.tenant_id
          and delivery.endpoint_id = endpoint.id and delivery.state = 'SENDING')::int as waiting,
      (select count(*) from callback_delivery delivery where delivery.tenant_id = endpoint.tenant_id
        and delivery.endpoint_id = endpoint.id and delivery.state = 'DEAD'
        and delivery.purpose = 'EVENT')::int as dead) backlog
  cross join lateral (
    select count(*) filter (where delivery.state = 'DELIVERED')::int as delivered,
      coalesce(sum(delivery.failures), 0)::int as failed
    from callback_delivery delivery
    where delivery.tenant_id = endpoint.tenant_id and delivery.endpoint_id = endpoint.id
      and delivery.purpose = 'EVENT'
      and delivery.created_at > now() - interval '24 hours') recent`;

export function findEndpoints(
  db: Db,
  session: Session,
  query: EndpointQuery,
): Promise<Page<WebhookEndpoint>> {
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select endpoint.* ${matched} order by endpoint.id desc ${pageLimits(query)}) endpoint ${withHealth}
      order by endpoint.id desc`,
  });
}

export function findEndpoint(db: Db, session: Session, id: number): Promise<EndpointDetail | null> {
  return db.maybe(sql`
    select ${columns}, endpoint.created_at, endpoint.created_by,
      coalesce((select jsonb_agg(jsonb_build_object('id', callback_secret.id, 'hint',
        callback_secret.hint,
          'createdAt', to_char(callback_secret.created_at at time zone 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'expiresAt', to_char(callback_secret.expires_at at time zone 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by callback_secret.id desc)
        from callback_secret
        where callback_secret.tenant_id = endpoint.tenant_id
          and callback_secret.endpoint_id = endpoint.id
          and (callback_secret.expires_at is null or callback_secret.expires_at > now())),
          '[]') as secrets,
      (select percentile_disc(0.5) within group (order by attempt.duration_ms)
        from callback_delivery delivery
        join callback_attempt attempt on attempt.tenant_id = delivery.tenant_id
          and attempt.delivery_id = delivery.id
        where delivery.tenant_id = endpoint.tenant_id and delivery.endpoint_id = endpoint.id
          and attempt.outcome = 'DELIVERED'
          and delivery.created_at > now() - interval '24 hours') as median_ms
    from callback_endpoint endpoint ${withHealth}
    where endpoint.id = ${id} and endpoint.deleted_at is null
      and ${tenantPredicate(session, sql`endpoint.tenant_id`)}`);
}

export interface EndpointRow extends EndpointDraft, EndpointKey {
  /** Effective state: DISABLED also while its application is disabled. */
  state: EndpointState;
  /** The name of its application if that is disabled; null otherwise. */
  appOff: string | null;
  editVersion: number;
  editedBy: string;
}

export function lockEndpoint(db: Db, session: Session, id: number): Promise<EndpointRow | null> {
  return db.maybe(sql`
    select endpoint.tenant_id, endpoint.id, endpoint.name, endpoint.url, endpoint.types,
      endpoint.app_id, ${stateOf(sql`endpoint`)} as state, endpoint.edit_version,
      endpoint.edited_by,
      (select app.name from open_app app where app.tenant_id = endpoint.tenant_id
        and app.id = endpoint.app_id
        and app.disabled_at is not null) as app_off
    from callback_endpoint endpoint
    where endpoint.id = ${id} and endpoint.deleted_at is null
      and ${tenantPredicate(session, sql`endpoint.tenant_id`)}
    for no key update of endpoint`);
}

/** Enabled endpoints of the application; locked, so that none is paused or deleted meanwhile. */
export async function lockEndpointsOfApp(
  db: Db,
  { tenantId, appId }: { tenantId: number; appId: number },
): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    select endpoint.id from callback_endpoint endpoint
    where endpoint.tenant_id = ${tenantId} and endpoint.app_id = ${appId}
      and endpoint.deleted_at is null and ${stateOf(sql`endpoint`)} <> 'DISABLED'
    order by endpoint.id for no key update of endpoint`);
  return rows.map(({ id }) => id);
}

/** Takes an advisory lock so that concurrent creations cannot exceed the limit. */
export async function countEndpoints(db: Db, tenantId: number): Promise<number> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('callback_endpoint'), ${tenantId}::int)`);
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from callback_endpoint
    where tenant_id = ${tenantId} and deleted_at is null`);
  return n;
}

/** Whether another endpoint of the tenant has this name. */
export async function isNameTaken(
  db: Db,
  tenantId: number,
  name: string,
  exceptId: number | null,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select from callback_endpoint
    where tenant_id = ${tenantId} and name = ${name} and deleted_at is null
      and id is distinct from ${exceptId}::bigint`);
  return found !== null;
}

export async function hasApp(db: Db, tenantId: number, appId: number): Promise<boolean> {
  const found = await db.maybe(sql`
    select from open_app where tenant_id = ${tenantId} and id = ${appId}`);
  return found !== null;
}

export async function insertEndpoint(
  db: Db,
  tenantId: number,
  { name, url, types, appId }: EndpointDraft,
  by: string,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into callback_endpoint (tenant_id, name, url, types, app_id, created_by, edited_by)
    values (${tenantId}, ${name}, ${url}, ${types}, ${appId}, ${by}, ${by})
    returning id`);
  return id;
}

export async function updateEndpoint(
  db: Db,
  { tenantId, id }: EndpointKey,
  { name, url, types }: EndpointDraft,
  by: string,
): Promise<void> {
  await db.run(sql`
    update callback_endpoint set name = ${name}, types = ${types},
      -- A new URL resets probe result, failure count and FAILING: they belong to the old URL.
      probe_result = case when url = ${url} then probe_result end,
      probed_at = case when url = ${url} then probed_at end,
      failures = case when url = ${url} then failures else 0 end,
      state = case when url = ${url} or state <> 'FAILING' then state else 'ENABLED' end,
      url = ${url}, edit_version = edit_version + 1, edited_at = now(), edited_by = ${by}
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function setState(
  db: Db,
  { tenantId, id }: EndpointKey,
  state: EndpointState,
  reason: string,
): Promise<void> {
  await db.run(sql`
    update callback_endpoint set state = ${state}, state_reason = ${reason}, state_at = now(),
      failures = 0
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** Cancels the waiting deliveries and deletes the secrets. Returns how many were cancelled. */
export async function deleteEndpoint(db: Db, { tenantId, id }: EndpointKey): Promise<number> {
  await db.run(sql`
    update callback_endpoint set deleted_at = now(), state = 'DISABLED'
    where tenant_id = ${tenantId} and id = ${id}`);
  await db.run(sql`
    delete from callback_secret where tenant_id = ${tenantId} and endpoint_id = ${id}`);
  return db.run(sql`
    update callback_delivery set state = 'CANCELLED', next_at = null, ended_at = now()
    where tenant_id = ${tenantId} and endpoint_id = ${id} and state = 'WAITING'`);
}

export async function insertSecret(
  db: Db,
  { tenantId, id }: EndpointKey,
  sealed: Buffer,
  hint: string,
): Promise<void> {
  await db.run(sql`
    insert into callback_secret (tenant_id, endpoint_id, sealed, hint)
    values (${tenantId}, ${id}, ${sealed}, ${hint})`);
}

/** Active secrets, newest first. */
export function findSecrets(
  db: Db,
  { tenantId, id }: EndpointKey,
): Promise<{ id: number; hint: string; expiresAt: string | null }[]> {
  return db.many(sql`
    select id, hint, expires_at from callback_secret
    where tenant_id = ${tenantId} and endpoint_id = ${id}
      and (expires_at is null or expires_at > now())
    order by id desc`);
}

/** Returns until when the old secrets still sign; null when they end at once. */
export async function endSecrets(
  db: Db,
  { tenantId, id }: EndpointKey,
  overlapHours: number,
): Promise<string | null> {
  if (overlapHours === 0) {
    await db.run(sql`
      delete from callback_secret where tenant_id = ${tenantId} and endpoint_id = ${id}`);
    return null;
  }
  const ended = await db.maybe<{ expiresAt: string }>(sql`
    update callback_secret set expires_at = now() + make_interval(hours => ${overlapHours})
    where tenant_id = ${tenantId} and endpoint_id = ${id} and expires_at is null
    returning expires_at`);
  return ended?.expiresAt ?? null;
}
