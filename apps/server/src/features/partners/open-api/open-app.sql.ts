// Third parties' applications and their keys in SQL, as the console reads and changes them; never a
// plain secret.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  OpenApp,
  OpenAppDraft,
  OpenAppOption,
  openAppContract,
} from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import type { Session } from "../../../platform/context.ts";
import { tenantPredicate } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { todaySql } from "../../../platform/db/shanghai.sql.ts";
import { and, type Sql, sql } from "../../../platform/db/sql.ts";

export type AppQuery = Input<typeof openAppContract.list>["query"];

/** Predicate "in force" over `open_app_key app_key`. */
const isInForce = sql`(app_key.expires_at is null or app_key.expires_at > now())`;

/** Lateral join with key facts of the row `app`. */
const keyFacts = sql`
  cross join lateral (
    select count(*) filter (where ${isInForce}) as active,
      count(*) filter (where ${isInForce} and app_key.expires_at is not null) as ending,
      max(app_key.last_used_at) as last_used_at
    from open_app_key app_key where app_key.tenant_id = app.tenant_id
      and app_key.app_id = app.id) key_facts`;

const keyState = sql`(case when key_facts.active = 0 then 'NONE'
  when key_facts.active = key_facts.ending then 'ENDING'
  when key_facts.active > 1 then 'OVERLAP' else 'ACTIVE' end)`;

/** ISO 8601 in UTC: a timestamp inside JSON bypasses the driver's conversion. */
function iso(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Number of ended keys listed beside those in force. */
const ENDED_SHOWN = 10;

const networksSql = sql`
  array(select case when masklen(app_network.network) = case family(app_network.network)
    when 4 then 32 else 128 end
      then host(app_network.network) else app_network.network::text end
    from open_app_network app_network
    where app_network.tenant_id = app.tenant_id and app_network.app_id = app.id
    order by app_network.network)`;

export function findApps(db: Db, session: Session, query: AppQuery): Promise<Page<OpenApp>> {
  const keyword = query.keyword?.trim();
  const conditions = and(
    tenantPredicate(session, sql`app.tenant_id`, query.tenantId),
    keyword && sql`(app.name ilike ${contains(keyword)} or app.code ilike ${contains(keyword)})`,
    query.state && sql`(app.disabled_at is null) = ${query.state === "ENABLED"}`,
    query.keyState && sql`${keyState} = ${query.keyState}`,
  );
  const matching = sql`from open_app app ${keyFacts} where ${conditions}`;
  return findPage(db, {
    matching,
    rows: sql`
      select app.id, app.tenant_id, tenant.name as tenant_name, app.code, app.name, app.scopes,
        ${networksSql} as networks, app.rate_per_minute, app.is_settling, app.remark,
        app.reserve_share_percent,
        case when app.disabled_at is null then 'ENABLED' else 'DISABLED' end as state,
        app.disabled_reason, app.key_state, app.key_used_at as last_used_at, app.created_at,
        app.edited_at, app.edited_by, today.calls as calls_today, today.refused as refused_today,
        coalesce((
          select json_agg(listed_key order by listed_key.ended, listed_key."createdAt" desc,
            listed_key.kid) from (
            select app_key.kid, case when app_key.revoked_at is not null then 'REVOKED'
                when app_key.expires_at is null then 'ACTIVE'
                  when app_key.expires_at > now() then 'ENDING'
                else 'EXPIRED' end as state,
              ${iso(sql`app_key.created_at`)} as "createdAt", app_key.issued_by as "issuedBy",
              ${iso(sql`app_key.last_used_at`)} as "lastUsedAt", ${iso(sql`app_key.expires_at`)} as "expiresAt",
              ${iso(sql`app_key.revoked_at`)} as "revokedAt", app_key.revoked_by as "revokedBy",
              not ${isInForce} as ended
            from open_app_key app_key where app_key.tenant_id = app.tenant_id
              and app_key.app_id = app.id
            order by ended, app_key.created_at desc, app_key.kid limit ${ENDED_SHOWN}) listed_key),
          '[]') as keys
      from (select app.*, ${keyState} as key_state, key_facts.last_used_at as key_used_at
        ${matching} order by app.tenant_id, app.id desc ${pageLimits(query)}) app
      join tenant on tenant.id = app.tenant_id
      cross join lateral (
        select count(*)::int as calls, (count(*) filter (where open_call.refusal is not null))::int as refused
        from open_call where open_call.tenant_id = app.tenant_id and open_call.app_id = app.id
          and open_call.at >= date_trunc('day', now(), 'Asia/Shanghai')) today
      order by app.tenant_id, app.id desc`,
  });
}

export function findAppOptions(
  db: Db,
  session: Session,
  tenantId: number | undefined,
): Promise<OpenAppOption[]> {
  return db.many(sql`
    select app.id, app.tenant_id, app.name, app.code from open_app app
    where ${tenantPredicate(session, sql`app.tenant_id`, tenantId)} order by app.tenant_id,
      app.name`);
}

export interface AppKey {
  tenantId: number;
  appId: number;
}

export interface LockedApp extends AppKey, OpenAppDraft {
  code: string;
  isDisabled: boolean;
  /** Date in Asia/Shanghai. */
  today: string;
}

/** Locks the application until the transaction ends; null if this account may not see it. */
export function lockApp(db: Db, session: Session, id: number): Promise<LockedApp | null> {
  return db.maybe(sql`
    select app.tenant_id, app.id as app_id, app.code, app.name, app.scopes,
      ${networksSql} as networks, app.rate_per_minute, app.is_settling, app.remark,
      app.reserve_share_percent, app.disabled_at is not null as is_disabled, ${todaySql}::text as today
    from open_app app where app.id = ${id} and ${tenantPredicate(session, sql`app.tenant_id`)}
    for no key update of app`);
}

export async function countApps(db: Db, tenantId: number): Promise<number> {
  // Advisory lock: two concurrent creations must not both pass the limit.
  await db.run(sql`select pg_advisory_xact_lock(hashtext('open_app'), ${tenantId})`);
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from open_app where tenant_id = ${tenantId}`);
  return n;
}

export async function isNameTaken(
  db: Db,
  tenantId: number,
  name: string,
  exceptId = 0,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from open_app where tenant_id = ${tenantId} and name = ${name} and id <> ${exceptId}`);
  return found !== null;
}

export async function insertApp(
  db: Db,
  { tenantId, code, by }: { tenantId: number; code: string; by: string },
  draft: OpenAppDraft,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into open_app (tenant_id, code, name, scopes, rate_per_minute,
      reserve_share_percent, is_settling, remark, edited_by)
    values (${tenantId}, ${code}, ${draft.name}, ${draft.scopes}::text[], ${draft.ratePerMinute},
      ${draft.reserveSharePercent}, ${draft.isSettling}, ${draft.remark}, ${by})
    returning id`);
  await replaceNetworks(db, { tenantId, appId: id }, draft.networks);
  return id;
}

export async function updateApp(db: Db, key: AppKey, draft: OpenAppDraft, by: string) {
  await db.run(sql`
    update open_app set name = ${draft.name}, scopes = ${draft.scopes}::text[],
      rate_per_minute = ${draft.ratePerMinute},
      reserve_share_percent = ${draft.reserveSharePercent}, is_settling = ${draft.isSettling},
      remark = ${draft.remark}, edited_at = now(), edited_by = ${by}
    where tenant_id = ${key.tenantId} and id = ${key.appId}`);
  await replaceNetworks(db, key, draft.networks);
}

async function replaceNetworks(db: Db, { tenantId, appId }: AppKey, networks: string[]) {
  await db.run(sql`
    delete from open_app_network where tenant_id = ${tenantId} and app_id = ${appId}`);
  await db.run(sql`
    insert into open_app_network (tenant_id, app_id, network)
    select distinct ${tenantId}::int, ${appId}::bigint, network
    from unnest(${networks}::cidr[]) as network`);
}

/** Null enables the application again. */
export async function setDisabled(
  db: Db,
  { tenantId, appId }: AppKey,
  reason: string | null,
  by: string,
): Promise<void> {
  await db.run(sql`
    update open_app set disabled_at = case when ${reason}::text is not null then now() end,
      disabled_reason = ${reason}, edited_at = now(), edited_by = ${by}
    where tenant_id = ${tenantId} and id = ${appId}`);
}

export interface KeyRow {
  kid: string;
  isInForce: boolean;
  expiresAt: string | null;
}

/** Sorted newest first. */
export function findKeysOf(db: Db, { tenantId, appId }: AppKey): Promise<KeyRow[]> {
  return db.many(sql`
    select app_key.kid, ${isInForce} as is_in_force, app_key.expires_at
    from open_app_key app_key
    where app_key.tenant_id = ${tenantId} and app_key.app_id = ${appId} order by app_key.created_at desc, app_key.kid`);
}

/** Sealed secrets of the keys in force. */
export function findSecretsOf(
  db: Db,
  { tenantId, appId }: AppKey,
): Promise<{ kid: string; sealedSecret: Buffer }[]> {
  return db.many(sql`
    select app_key.kid, app_key.sealed_secret from open_app_key app_key
    where app_key.tenant_id = ${tenantId} and app_key.app_id = ${appId} and ${isInForce}
      and app_key.sealed_secret is not null`);
}

export async function insertKey(
  db: Db,
  { tenantId, appId }: AppKey,
  key: { kid: string; sealedSecret: Buffer; by: string },
): Promise<void> {
  await db.run(sql`
    insert into open_app_key (tenant_id, app_id, kid, sealed_secret, issued_by)
    values (${tenantId}, ${appId}, ${key.kid}, ${key.sealedSecret}, ${key.by})`);
}

/** Ends a key after the given time, or earlier if it ended earlier anyway; returns its end. */
export async function endAfter(
  db: Db,
  { tenantId, appId }: AppKey,
  kid: string,
  hours: number,
): Promise<string> {
  const { expiresAt } = await db.one<{ expiresAt: string }>(sql`
    update open_app_key set expires_at = least(expires_at, now() + make_interval(hours => ${hours}))
    where tenant_id = ${tenantId} and app_id = ${appId} and kid = ${kid}
    returning expires_at`);
  return expiresAt;
}

export async function revoke(db: Db, { tenantId, appId }: AppKey, kid: string, by: string) {
  await db.run(sql`
    update open_app_key set expires_at = now(), revoked_at = now(), revoked_by = ${by},
      sealed_secret = null
    where tenant_id = ${tenantId} and app_id = ${appId} and kid = ${kid}`);
}

/** The first text that is not a valid CIDR, for example with host bits set behind the prefix. */
export async function findInvalidNetwork(db: Db, networks: string[]): Promise<string | null> {
  const found = await db.maybe<{ network: string }>(sql`
    select network from unnest(${networks}::text[]) as network
    where not pg_input_is_valid(network, 'cidr') limit 1`);
  return found?.network ?? null;
}

export function findAppByCode(db: Db, session: Session, code: string): Promise<AppKey | null> {
  return db.maybe(sql`
    select app.tenant_id, app.id as app_id from open_app app
    where app.code = ${code} and ${tenantPredicate(session, sql`app.tenant_id`)}`);
}

export async function isNonceUsed(db: Db, { tenantId, appId }: AppKey, nonce: string) {
  const found = await db.maybe(sql`
    select 1 from open_nonce
    where tenant_id = ${tenantId} and app_id = ${appId} and nonce = ${nonce}`);
  return found !== null;
}

/**
 * Nonces outlive the 5 minutes of clock skew allowed on either side; call records are kept for 90
 * days.
 */
export async function cleanOpenApi(db: Db): Promise<void> {
  await db.run(sql`delete from open_nonce where seen_at < now() - interval '11 minutes'`);
  await db.run(sql`
    update open_app_key set sealed_secret = null
    where expires_at < now() and sealed_secret is not null`);
  await db.run(sql`
    delete from open_call using (
      select tenant_id, id from open_call where at < now() - interval '90 days'
      order by at limit 20000) expired
    where open_call.tenant_id = expired.tenant_id and open_call.id = expired.id`);
}
