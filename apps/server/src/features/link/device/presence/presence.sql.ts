// Presence in the database, by its clock alone: connections, who is online, who fell silent.
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";

export interface CabinetKey {
  tenantId: number;
  cabinetId: number;
}

/** Reconnect backoff reaches two minutes: a cabinet that was online before our outage may take this long to return. */
const RETURN_SECONDS = 150;
/** No sweep for this long: the gateways were down, not the cabinets. */
const BLIND_AFTER_SECONDS = 10;

/**
 * Connectivity, for the table `cabinet` under this alias. Only `ONLINE` cabinets can be sent a command; `CONNECTING`
 * ones were heard, or were online a moment ago, and have no session yet.
 */
export function connectivitySql(alias: Sql): Sql {
  return sql`(case when ${alias}.offline_at is null then 'NEVER'
    when ${alias}.offline_at <= now() then 'OFFLINE'
    when ${alias}.is_greeted then 'ONLINE' else 'CONNECTING' end)`;
}

/** Extra silence allowed beyond a heartbeat interval that was configured for the cabinet itself. */
const OWN_HEARTBEAT_GRACE_SECONDS = 30;

/** Silence in seconds after which a cabinet is offline, for `cabinet` and `cabinet_model` under these aliases. */
export function silenceSecondsSql(cabinet: Sql, model: Sql): Sql {
  return sql`greatest(${model}.offline_seconds,
    (${cabinet}.desired_config ->> 'heartbeatSeconds')::int + ${OWN_HEARTBEAT_GRACE_SECONDS}::int)`;
}

/** Same condition as `connectivitySql` = `ONLINE`: a command could be sent this instant. */
export function isConnectedSql(alias: Sql): Sql {
  return sql`(${connectivitySql(alias)} = 'ONLINE')`;
}

/** After the last evidence of two cabinets with one identity; they may be far apart in their reconnects. */
const IDENTITY_SHARED_HOURS = 24;

/** True while it is suspected that two cabinets share the identity of the row `cabinet` under this alias. */
export function isIdentitySharedSql(alias: Sql): Sql {
  return sql`coalesce(${alias}.identity_shared_at
    > now() - make_interval(hours => ${IDENTITY_SHARED_HOURS}), false)`;
}

/** First epoch, or boot number, since which the reports of the row `cabinet` are provably one device's. */
export const lineSql = (alias: Sql, part: "epoch" | "bootNo"): Sql =>
  sql`coalesce((${alias}.birth_run -> 'line' ->> ${part})::bigint, 0)`;

/** A process that serves cabinets. */
export interface Gateway {
  /** Stable across restarts for a gateway with an embedded broker. */
  id: string;
  /** True with an outside broker: every gateway reaches every cabinet. False: only those connected here. */
  isShared: boolean;
}

/** True if this gateway reaches the cabinet, for the table `cabinet` under this alias. */
export function isReachedBySql(alias: Sql, gateway: Gateway): Sql {
  return gateway.isShared ? sql`true` : sql`${alias}.gateway_id = ${gateway.id}`;
}

/** Key ids of the secrets in force, for the table `cabinet` under this alias. */
export function kidsInForceSql(alias: Sql): Sql {
  return sql`array(select secret.kid from cabinet_secret secret
    where secret.tenant_id = ${alias}.tenant_id and secret.cabinet_id = ${alias}.id
      and (secret.expires_at is null or secret.expires_at > now()))`;
}

/** A connect with a valid proof. */
export interface ProvenConnect extends CabinetKey {
  nonce: string;
  kid: string;
  /** Null where it is not known. */
  address: string | null;
}

export interface LockedConnect {
  cabinetId: number;
  /** True if the cabinet has no list of networks, or this address is on it. */
  isAllowed: boolean;
}

/** Locks the rows of connecting cabinets; leaves out those another transaction has locked, unless `isPatient`. */
export function lockConnectingCabinets(
  db: Db,
  connects: readonly ProvenConnect[],
  isPatient: boolean,
): Promise<LockedConnect[]> {
  return db.many(sql`
    select cabinet.id as cabinet_id, (
      select coalesce(bool_or(network.network >>= input.address), count(*) = 0)
      from cabinet_network network where network.tenant_id = cabinet.tenant_id
        and network.cabinet_id = cabinet.id
    ) as is_allowed
    from ${tableOf(connects)}
    join cabinet on cabinet.tenant_id = input."tenantId" and cabinet.id = input."cabinetId"
    order by cabinet.tenant_id, cabinet.id
    for no key update of cabinet ${isPatient ? sql`` : sql`skip locked`}`);
}

/**
 * Consumes their nonces and records the connections; a session begins only with a birth. Returns the cabinets that are
 * connected: in service, with a secret in force and a nonce that was still valid.
 */
export async function beginConnections(
  db: Db,
  connects: readonly ProvenConnect[],
  gatewayId: string | null,
): Promise<number[]> {
  const begun = await db.many<{ id: number }>(sql`
    with wanted as (
      select * from ${tableOf(connects)}
    ), challenge as (
      delete from device_challenge where nonce in (select nonce from wanted) and expires_at > now()
      returning nonce
    ), begun as (
      update cabinet set connection_nonce = wanted.nonce, connection_kid = wanted.kid,
        is_greeted = false, gateway_id = ${gatewayId},
        offline_at = case when announced_connectivity = 'ONLINE'
          then greatest(offline_at,
            now() + make_interval(secs => ${silenceSecondsSql(sql`cabinet`, sql`model`)}))
          else offline_at end
      from wanted join challenge on challenge.nonce = wanted.nonce, cabinet_model model
      where model.id = cabinet.model_id and cabinet.tenant_id = wanted."tenantId"
        and cabinet.id = wanted."cabinetId"
        and lifecycle <> 'RETIRED' and wanted.kid = any(${kidsInForceSql(sql`cabinet`)})
      returning cabinet.tenant_id, cabinet.id, wanted.kid
    ), used as (
      update cabinet_secret secret
      set first_used_at = coalesce(secret.first_used_at, now()), last_used_at = now()
      from begun
      where secret.tenant_id = begun.tenant_id and secret.cabinet_id = begun.id
        and secret.kid = begun.kid
    )
    select id from begun`);
  return begun.map(({ id }) => id);
}

function tableOf(connects: readonly ProvenConnect[]): Sql {
  return sql`jsonb_to_recordset(${JSON.stringify(connects)}::jsonb) as input("tenantId" int,
    "cabinetId" bigint, nonce text, kid text, address inet)`;
}

/**
 * Ends all connections of this gateway's embedded broker, which stopped or restarts, without counting it as the
 * cabinets' absence.
 */
export async function endConnectionsOf(db: Db, gatewayId: string): Promise<void> {
  await excuseAbsence(db, sql`gateway_id = ${gatewayId}`);
  await db.run(sql`
    update cabinet set connection_nonce = null, connection_kid = null, is_greeted = false
    where gateway_id = ${gatewayId} and connection_nonce is not null`);
}

/** Gives cabinets that were online time to return; until then their absence is not a malfunction. */
async function excuseAbsence(db: Db, isConcerned: Sql): Promise<void> {
  await Promise.all([
    db.run(sql`
      update cabinet set offline_at = now() + make_interval(secs => ${RETURN_SECONDS})
      where (tenant_id, id) in (
        select tenant_id, id from cabinet
        where announced_connectivity = 'ONLINE'
          and offline_at < now() + make_interval(secs => ${RETURN_SECONDS}) and ${isConcerned}
        order by tenant_id, id for no key update)`),
    db.run(sql`
      update presence_sweep
      set excused_until = now() + make_interval(secs => ${RETURN_SECONDS})`),
  ]);
}

/** Announces cabinets that fell silent; null when another process is sweeping (SKIP LOCKED). */
export async function sweepPresence(db: Db): Promise<CabinetKey[] | null> {
  const last = await db.maybe<{ wasBlind: boolean }>(sql`
    select swept_at < now() - make_interval(secs => ${BLIND_AFTER_SECONDS}) as was_blind
    from presence_sweep for update skip locked`);
  if (!last) return null;
  if (last.wasBlind) await excuseAbsence(db, sql`true`);
  const [, gone] = await Promise.all([
    db.run(sql`update presence_sweep set swept_at = now()`),
    db.many<CabinetKey>(sql`
      with gone as (
        update cabinet set announced_connectivity = 'OFFLINE', is_greeted = false
        where (tenant_id, id) in (
          select tenant_id, id from cabinet
          where announced_connectivity = 'ONLINE' and offline_at <= now()
          -- A locked row is just being updated by a message, so that the cabinet is not silent.
          for no key update skip locked)
        returning tenant_id, id, last_seen_at
      )
      insert into cabinet_event (tenant_id, cabinet_id, kind, payload)
      select tenant_id, id, 'OFFLINE', jsonb_build_object('lastSeenAt', last_seen_at) from gone
      returning tenant_id, cabinet_id`),
  ]);
  return gone;
}

/** Between two requests of a snapshot that an opening in doubt waits for: the first may go into a silent uplink. */
const DUE_RESYNC_EVERY_SECONDS = 10;

/** Claims the cabinets that must send a snapshot: reports are missing, or an opening in doubt needs it. */
export function claimResyncs(
  db: Db,
  gateway: Gateway,
  limits: { afterMs: number; everyMs: number },
): Promise<{ sn: string; kid: string; epoch: number; cmdId: string }[]> {
  const notSince = (seconds: number) =>
    sql`(resync_at is null or resync_at < now() - make_interval(secs => ${seconds}))`;
  return db.many(sql`
    update cabinet set resync_at = now(), resync_id = gen_random_uuid()
    where is_greeted and ${isReachedBySql(sql`cabinet`, gateway)}
      and ((gap_since < now() - make_interval(secs => ${limits.afterMs / 1000})
          and ${notSince(limits.everyMs / 1000)})
        or (resync_due_at <= now() and ${notSince(DUE_RESYNC_EVERY_SECONDS)}))
    returning sn, connection_kid as kid, epoch, resync_id as cmd_id`);
}

/** Requests a snapshot after `from`, which is cut to milliseconds, until one has arrived. The caller holds the lock on the cabinet's row. */
export async function requestResync(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  from: string,
): Promise<void> {
  await db.run(sql`
    update cabinet set resync_due_at = greatest(resync_due_at, ${from}::timestamptz + interval '1 millisecond')
    where tenant_id = ${tenantId} and id = ${cabinetId}`);
}
