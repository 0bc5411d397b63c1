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
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { stateOf } from "./outbox.sql.ts";

export type EndpointQuery = Input<typeof webhookContract.endpoints>["query"];

export interface EndpointKey {
  tenantId: number;
  id: number;
}

function matching(session: Session, query: EndpointQuery): Sql {
  const { keyword, state, type, appId, tenantId } = query;
  const conditions = [
    tenantPredicate(session, sql`e.tenant_id`, tenantId),
    sql`e.deleted_at is null`,
  ];
  if (keyword?.trim()) {
    const pattern = contains(keyword);
    conditions.push(sql`(e.name ilike ${pattern} or e.url ilike ${pattern})`);
  }
  if (state) conditions.push(sql`${stateOf(sql`e`)} = ${state}`);
  if (type) conditions.push(sql`${type} = any(e.types)`);
  if (appId) conditions.push(sql`e.app_id = ${appId}`);
  return sql`from callback_endpoint e where ${join(conditions, " and ")}`;
}

const appStateOf = (a: Sql) =>
  sql`case when ${a}.disabled_at is null then 'ENABLED' else 'DISABLED' end`;

const columns = sql`
  e.id, e.tenant_id as "tenantId", t.name as "tenantName", e.name, e.url, e.types,
  e.app_id as "appId", a.name as "appName",
  case when a.id is not null then ${appStateOf(sql`a`)} end as "appState",
  ${stateOf(sql`e`)} as state,
  case when a.disabled_at is null then e.state_reason
    else ${"接口应用已停用："} || coalesce(a.disabled_reason, '') end as "stateReason",
  coalesce(a.disabled_at, e.state_at) as "stateAt", e.failures, e.last_success_at as "lastSuccessAt",
  e.last_failure_at as "lastFailureAt", e.probe_result as "probeResult",
  e.probed_at as "probedAt", e.edit_version as "editVersion", e.edited_at as "editedAt",
  e.edited_by as "editedBy", h.waiting, h.dead, y.delivered as "delivered24h",
  y.failed as "failed24h"`;

const withHealth = sql`
  join tenant t on t.id = e.tenant_id
  left join open_app a on a.tenant_id = e.tenant_id and a.id = e.app_id
  cross join lateral (
    select (select count(*) from callback_delivery d where d.tenant_id = e.tenant_id
          and d.endpoint_id = e.id and d.state = 'WAITING' and d.purpose = 'EVENT')::int
        + (select count(*) from callback_delivery d where d.tenant_id = e.tenant_id
          and d.endpoint_id = e.id and d.state = 'WAITING' and d.purpose <> 'EVENT')::int
        + (select count(*) from callback_delivery d where d.tenant_id = e.tenant_id
          and d.endpoint_id = e.id and d.state = 'SENDING')::int as waiting,
      (select count(*) from callback_delivery d where d.tenant_id = e.tenant_id
        and d.endpoint_id = e.id and d.state = 'DEAD' and d.purpose = 'EVENT')::int as dead) h
  cross join lateral (
    select count(*) filter (where d.state = 'DELIVERED')::int as delivered,
      coalesce(sum(d.failures), 0)::int as failed
    from callback_delivery d
    where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.purpose = 'EVENT'
      and d.created_at > now() - interval '24 hours') y`;

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
      from (select e.* ${matched} order by e.id desc ${pageLimits(query)}) e ${withHealth}
      order by e.id desc`,
  });
}

export function findEndpoint(db: Db, session: Session, id: number): Promise<EndpointDetail | null> {
  return db.maybe(sql`
    select ${columns}, e.created_at as "createdAt", e.created_by as "createdBy",
      coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'hint', s.hint,
          'createdAt', to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'expiresAt', to_char(s.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by s.id desc)
        from callback_secret s
        where s.tenant_id = e.tenant_id and s.endpoint_id = e.id
          and (s.expires_at is null or s.expires_at > now())), '[]') as secrets,
      (select percentile_disc(0.5) within group (order by q.duration_ms)
        from callback_delivery d
        join callback_attempt q on q.tenant_id = d.tenant_id and q.delivery_id = d.id
        where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and q.outcome = 'DELIVERED'
          and d.created_at > now() - interval '24 hours') as "medianMs"
    from callback_endpoint e ${withHealth}
    where e.id = ${id} and e.deleted_at is null and ${tenantPredicate(session, sql`e.tenant_id`)}`);
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
    select e.tenant_id as "tenantId", e.id, e.name, e.url, e.types, e.app_id as "appId",
      ${stateOf(sql`e`)} as state, e.edit_version as "editVersion", e.edited_by as "editedBy",
      (select a.name from open_app a where a.tenant_id = e.tenant_id and a.id = e.app_id
        and a.disabled_at is not null) as "appOff"
    from callback_endpoint e
    where e.id = ${id} and e.deleted_at is null and ${tenantPredicate(session, sql`e.tenant_id`)}
    for no key update of e`);
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
    select id, hint, expires_at as "expiresAt" from callback_secret
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
    returning expires_at as "expiresAt"`);
  return ended?.expiresAt ?? null;
}
