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
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";

export type AppQuery = Input<typeof openAppContract.list>["query"];

/** Predicate "in force" over `open_app_key k`. */
const isInForce = sql`(k.expires_at is null or k.expires_at > now())`;

/** Lateral join with key facts of the application `a`. */
const keyFacts = sql`
  cross join lateral (
    select count(*) filter (where ${isInForce}) as active,
      count(*) filter (where ${isInForce} and k.expires_at is not null) as ending,
      max(k.last_used_at) as last_used_at
    from open_app_key k where k.tenant_id = a.tenant_id and k.app_id = a.id) f`;

const keyState = sql`(case when f.active = 0 then 'NONE' when f.active = f.ending then 'ENDING'
  when f.active > 1 then 'OVERLAP' else 'ACTIVE' end)`;

/** ISO 8601 in UTC: a timestamp inside JSON bypasses the driver's conversion. */
function iso(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Number of ended keys listed beside those in force. */
const ENDED_SHOWN = 10;

const networksSql = sql`
  array(select case when masklen(n.network) = case family(n.network) when 4 then 32 else 128 end
      then host(n.network) else n.network::text end
    from open_app_network n
    where n.tenant_id = a.tenant_id and n.app_id = a.id order by n.network)`;

export function findApps(db: Db, session: Session, query: AppQuery): Promise<Page<OpenApp>> {
  const conditions = [tenantPredicate(session, sql`a.tenant_id`, query.tenantId)];
  const keyword = query.keyword?.trim();
  if (keyword) {
    const part = contains(keyword);
    conditions.push(sql`(a.name ilike ${part} or a.code ilike ${part})`);
  }
  if (query.state) conditions.push(sql`(a.disabled_at is null) = ${query.state === "ENABLED"}`);
  if (query.keyState) conditions.push(sql`${keyState} = ${query.keyState}`);
  const matching = sql`from open_app a ${keyFacts} where ${join(conditions, " and ")}`;
  return findPage(db, {
    matching,
    rows: sql`
      select a.id, a.tenant_id as "tenantId", t.name as "tenantName", a.code, a.name, a.scopes,
        ${networksSql} as networks, a.rate_per_minute as "ratePerMinute",
        a.is_settling as "isSettling", a.remark,
        case when a.disabled_at is null then 'ENABLED' else 'DISABLED' end as state,
        a.disabled_reason as "disabledReason", a.key_state as "keyState",
        a.key_used_at as "lastUsedAt", a.created_at as "createdAt", a.edited_at as "editedAt",
        a.edited_by as "editedBy", n.calls as "callsToday", n.refused as "refusedToday",
        coalesce((
          select json_agg(s order by s.ended, s."createdAt" desc, s.kid) from (
            select k.kid, case when k.revoked_at is not null then 'REVOKED'
                when k.expires_at is null then 'ACTIVE' when k.expires_at > now() then 'ENDING'
                else 'EXPIRED' end as state,
              ${iso(sql`k.created_at`)} as "createdAt", k.issued_by as "issuedBy",
              ${iso(sql`k.last_used_at`)} as "lastUsedAt", ${iso(sql`k.expires_at`)} as "expiresAt",
              ${iso(sql`k.revoked_at`)} as "revokedAt", k.revoked_by as "revokedBy",
              not ${isInForce} as ended
            from open_app_key k where k.tenant_id = a.tenant_id and k.app_id = a.id
            order by ended, k.created_at desc, k.kid limit ${ENDED_SHOWN}) s), '[]') as keys
      from (select a.*, ${keyState} as key_state, f.last_used_at as key_used_at
        ${matching} order by a.tenant_id, a.id desc ${pageLimits(query)}) a
      join tenant t on t.id = a.tenant_id
      cross join lateral (
        select count(*)::int as calls, (count(*) filter (where o.refusal is not null))::int as refused
        from open_call o where o.tenant_id = a.tenant_id and o.app_id = a.id
          and o.at >= date_trunc('day', now(), 'Asia/Shanghai')) n
      order by a.tenant_id, a.id desc`,
  });
}

export function findAppOptions(
  db: Db,
  session: Session,
  tenantId: number | undefined,
): Promise<OpenAppOption[]> {
  return db.many(sql`
    select a.id, a.tenant_id as "tenantId", a.name, a.code from open_app a
    where ${tenantPredicate(session, sql`a.tenant_id`, tenantId)} order by a.tenant_id, a.name`);
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
    select a.tenant_id as "tenantId", a.id as "appId", a.code, a.name, a.scopes,
      ${networksSql} as networks, a.rate_per_minute as "ratePerMinute",
      a.is_settling as "isSettling", a.remark, a.disabled_at is not null as "isDisabled",
      (now() at time zone 'Asia/Shanghai')::date::text as today
    from open_app a where a.id = ${id} and ${tenantPredicate(session, sql`a.tenant_id`)}
    for no key update of a`);
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
    insert into open_app (tenant_id, code, name, scopes, rate_per_minute, is_settling, remark,
      edited_by)
    values (${tenantId}, ${code}, ${draft.name}, ${draft.scopes}::text[], ${draft.ratePerMinute},
      ${draft.isSettling}, ${draft.remark}, ${by})
    returning id`);
  await replaceNetworks(db, { tenantId, appId: id }, draft.networks);
  return id;
}

export async function updateApp(db: Db, key: AppKey, draft: OpenAppDraft, by: string) {
  await db.run(sql`
    update open_app set name = ${draft.name}, scopes = ${draft.scopes}::text[],
      rate_per_minute = ${draft.ratePerMinute}, is_settling = ${draft.isSettling},
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
    select k.kid, ${isInForce} as "isInForce", k.expires_at as "expiresAt" from open_app_key k
    where k.tenant_id = ${tenantId} and k.app_id = ${appId} order by k.created_at desc, k.kid`);
}

/** Sealed secrets of the keys in force. */
export function findSecretsOf(
  db: Db,
  { tenantId, appId }: AppKey,
): Promise<{ kid: string; sealedSecret: Buffer }[]> {
  return db.many(sql`
    select k.kid, k.sealed_secret as "sealedSecret" from open_app_key k
    where k.tenant_id = ${tenantId} and k.app_id = ${appId} and ${isInForce}
      and k.sealed_secret is not null`);
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
    returning expires_at as "expiresAt"`);
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
    select a.tenant_id as "tenantId", a.id as "appId" from open_app a
    where a.code = ${code} and ${tenantPredicate(session, sql`a.tenant_id`)}`);
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
    delete from open_call c using (
      select tenant_id, id from open_call where at < now() - interval '90 days'
      order by at limit 20000) o
    where c.tenant_id = o.tenant_id and c.id = o.id`);
}
