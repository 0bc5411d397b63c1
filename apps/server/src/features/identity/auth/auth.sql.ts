// SQL for sessions, sign-in backoff and the login log.
import type { SignInOutcome } from "@cabinet/contract/identity/login-log/login-log.rules.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import type { Feature } from "@cabinet/contract/vocabulary/feature.rules.ts";
import type { AccountKey, Origin, Session } from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { recheckSessions } from "../../../platform/http/live.ts";
import { deleteOldFailures } from "../../../platform/limits/throttle.sql.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";
import { SESSION_SECONDS } from "./auth.rules.ts";

export interface SessionRow {
  operatorId: number;
  tenantId: number;
  username: string;
  displayName: string;
  userType: UserType;
  mustChangePassword: boolean;
  tenantIsActive: boolean;
  permissions: string[];
  offFeatures: Feature[];
  isStoreBound: boolean;
  homeTenantId: number;
  hasSecondFactor: boolean;
  needsSecondFactor: boolean;
  isFactorExempt: boolean;
  isProven: boolean;
  isProvenRecently: boolean;
  /** All of these columns as one text. */
  facts: string;
}

const presentSql = (tokenHash: Buffer, isActivity: boolean): Sql => sql`(
  select found.*, tenant_off_features(found.tenant_id) as off_features,
    factor_is_exempt(found.home_tenant_id, found.operator_id) as is_factor_exempt
  from find_session(${tokenHash}, ${isActivity}) found) present`;

export async function findSessionRow(
  database: Database,
  tokenHash: Buffer,
  isActivity: boolean,
): Promise<SessionRow | null> {
  const [row] = await database.unscoped<SessionRow>(
    sql`select present.*, present::text as facts from ${presentSql(tokenHash, isActivity)}`,
  );
  return row ?? null;
}

/** Like `findSessionRow`, with the whole row as one text: equal texts are equal sessions. */
export const checkSessionSql = (tokenHash: Buffer): Sql =>
  sql`select present::text as facts from ${presentSql(tokenHash, true)}`;

export async function findVisibleStoreIds(
  db: Db,
  { tenantId, operatorId }: AccountKey,
): Promise<number[]> {
  const rows = await db.many<{ storeId: number }>(sql`
    select store_id from visible_store
    where tenant_id = ${tenantId} and operator_id = ${operatorId}`);
  return rows.map(({ storeId }) => storeId);
}

/** The same condition as in `find_session`: expired rows remain until the cleanup job. */
export function isSessionAliveSql(alias: Sql): Sql {
  return sql`(${alias}.expires_at > now() and ${alias}.last_seen_at > now() - interval '30 minutes')`;
}

/**
 * Opens a session after the right password, which is a proof only without a second factor; beside one, `provenAt` is that
 * of an earlier proof. The caller has updated the account, whose row it thereby locks: a first factor that was set up while
 * the password was compared counts.
 */
export function insertSession(
  db: Db,
  account: AccountKey,
  {
    tokenHash,
    provenAt,
    deviceId,
  }: { tokenHash: Buffer; provenAt: string | null; deviceId: string | null },
  origin: Origin,
): Promise<{ hasSecondFactor: boolean }> {
  return db.one(sql`
    with account as (
      select has_second_factor from operator
      where tenant_id = ${account.tenantId} and id = ${account.operatorId}
    ), opened as (
      insert into session (token_hash, tenant_id, operator_id, expires_at, address, user_agent, proven_at,
        device_id, has_mac)
      select ${tokenHash}, ${account.tenantId}, ${account.operatorId},
        now() + make_interval(secs => ${SESSION_SECONDS}), ${origin.address}, ${origin.userAgent},
        case when has_second_factor then ${provenAt}::timestamptz else now() end, ${deviceId}, true
      from account
    )
    select has_second_factor from account`);
}

/** Gives the session another token: one that was seen before the second step is worth nothing after it. */
export async function replaceToken(db: Db, tokenHash: Buffer, newHash: Buffer): Promise<void> {
  await db.run(
    sql`update session set token_hash = ${newHash}, has_mac = true where token_hash = ${tokenHash}`,
  );
}

/** The browser that the session was opened in, and its last proof. */
export function findOpening(
  db: Db,
  { tokenHash }: Session,
): Promise<{ deviceId: string | null; provenAt: string | null }> {
  return db.one(sql`select device_id, proven_at from session where token_hash = ${tokenHash}`);
}

/** False for an account that signs in for the first time: no browser of it is known yet. */
export async function hasSignedIn(db: Db, { tenantId, operatorId }: AccountKey): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from login_log login
    where login.tenant_id = ${tenantId} and login.operator_id = ${operatorId}
      and login.outcome = 'SIGNED_IN' limit 1`);
  return found !== null;
}

/** The session's holder has just given the second factor, or the password where there is none. */
export async function markProven(db: Db, tokenHash: Buffer): Promise<void> {
  await db.run(sql`
    update session set proven_at = now(), passkey_challenge = null where token_hash = ${tokenHash}`);
}

/**
 * Proofs by the password alone end with the first factor: the account's other sessions must prove it, and their
 * impersonation sessions, which cannot, end.
 */
export async function forgetProofsElsewhere(
  db: Db,
  { homeTenantId: tenantId, operatorId, tokenHash }: Session,
): Promise<void> {
  const ofAccount = sql`session.tenant_id = ${tenantId} and session.operator_id = ${operatorId}`;
  await db.run(sql`delete from session where ${ofAccount} and session.opened_by <> ${tokenHash}`);
  await db.run(sql`
    update session set proven_at = null
    where ${ofAccount} and session.opened_by is null and session.token_hash <> ${tokenHash}`);
  await recheckSessions(db, { tenantId, operatorId });
}

/** A challenge replaces the session's previous one. */
export async function savePasskeyChallenge(
  db: Db,
  tokenHash: Buffer,
  challenge: string,
): Promise<void> {
  await db.run(sql`
    update session set passkey_challenge = ${challenge} where token_hash = ${tokenHash}`);
}

/** The session's challenge, which is used up by reading it; null if there is none. */
export async function takePasskeyChallenge(db: Db, tokenHash: Buffer): Promise<string | null> {
  const row = await db.maybe<{ challenge: string | null }>(sql`
    select passkey_challenge as challenge from session where token_hash = ${tokenHash} for update`);
  await db.run(sql`update session set passkey_challenge = null where token_hash = ${tokenHash}`);
  return row?.challenge ?? null;
}

/** Ends the oldest sessions of the account, so that `most` remain; their consoles check at once. */
export async function endOldSessions(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  most: number,
): Promise<void> {
  const ended = await db.run(sql`
    delete from session where token_hash in (
      select token_hash from session
      where tenant_id = ${tenantId} and operator_id = ${operatorId}
      order by created_at desc, token_hash offset ${most})`);
  if (ended > 0) await recheckSessions(db, { tenantId, operatorId });
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.run(sql`select end_session(${tokenHash})`);
}

/** Ends all sessions of the account and makes its open consoles check at once. */
export async function endSessionsOf(db: Db, { tenantId, operatorId }: AccountKey): Promise<void> {
  await db.run(sql`
    delete from session where tenant_id = ${tenantId} and operator_id = ${operatorId}`);
  await recheckSessions(db, { tenantId, operatorId });
}

/** Ends the account's sessions except this one; returns their number. */
export function deleteOtherSessions(
  db: Db,
  { homeTenantId, operatorId, tokenHash }: Session,
): Promise<number> {
  return db.run(sql`
    delete from session
    where tenant_id = ${homeTenantId} and operator_id = ${operatorId} and token_hash <> ${tokenHash}`);
}

/**
 * SQL equivalent of `accountKeyOf`: the key under which failed sign-ins of an account are counted.
 */
export function accountKeySql(username: Sql): Sql {
  return sql`'account:' || rtrim(translate(
    encode(sha256(convert_to(lower(${username}), 'UTF8')), 'base64'), '+/', '-_'), '=')`;
}

/** False when the challenge was used before. */
export async function useCaptcha(db: Db, challengeId: string, validSeconds: number) {
  const inserted = await db.run(sql`
    insert into captcha_use (challenge_id, expires_at)
    values (${challengeId}, now() + make_interval(secs => ${validSeconds}))
    on conflict do nothing`);
  return inserted === 1;
}

export async function insertLoginLog(
  db: Db,
  entry: {
    username: string;
    outcome: SignInOutcome;
    tenantId?: number;
    operatorId?: number;
    deviceId?: string;
    isNewDevice?: boolean;
  },
  origin: Origin,
): Promise<void> {
  await db.run(sql`
    insert into login_log (tenant_id, operator_id, username, outcome, address, user_agent,
      device_id, is_new_device)
    values (${entry.tenantId ?? null}, ${entry.operatorId ?? null}, ${entry.username},
      ${entry.outcome}, ${origin.address}, ${origin.userAgent}, ${entry.deviceId ?? null},
      ${entry.isNewDevice ?? false})`);
}

/**
 * Deletes expired sessions, used captchas, failures older than a day, and login logs that their tenant no longer keeps.
 */
export async function deleteExpiredSignIns(db: Db): Promise<void> {
  await db.run(sql`delete from session where not ${isSessionAliveSql(sql`session`)}`);
  await db.run(sql`
    delete from login_log where at < ${dueBeforeSql("keepLogsDays", sql`login_log.tenant_id`)}`);
  await db.run(sql`delete from captcha_use where expires_at < now()`);
  await deleteOldFailures(db);
}
