// SQL for sessions, sign-in backoff and the login log.
import type { UserType } from "@cabinet/contract/identity/auth/auth.contract.ts";
import type { SignInOutcome } from "@cabinet/contract/identity/login-log/login-log.rules.ts";
import type { AccountKey, Origin } from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { recheckSessions } from "../../../platform/http/live.ts";
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
  isStoreBound: boolean;
  homeTenantId: number;
}

export async function findSessionRow(
  database: Database,
  tokenHash: Buffer,
  isActivity: boolean,
): Promise<SessionRow | null> {
  const [row] = await database.unscoped<SessionRow>(
    sql`select * from find_session(${tokenHash}, ${isActivity})`,
  );
  return row ?? null;
}

export async function findVisibleStoreIds(
  db: Db,
  { tenantId, operatorId }: AccountKey,
): Promise<number[]> {
  const rows = await db.many<{ storeId: number }>(sql`
    select store_id from visible_store
    where tenant_id = ${tenantId} and operator_id = ${operatorId}`);
  return rows.map(({ storeId }) => storeId);
}

export interface AccountRow {
  tenantId: number;
  operatorId: number;
  username: string;
  passwordHash: string;
  userType: UserType;
  mustChangePassword: boolean;
  isDisabled: boolean;
  tenantIsActive: boolean;
}

/**
 * Lowercases in JavaScript, like the failure counter: another spelling must not be counted
 * separately.
 */
export function findAccount(db: Db, username: string): Promise<AccountRow | null> {
  return db.maybe(sql`
    select operator.tenant_id, operator.id as operator_id, operator.username,
      operator.password_hash, operator.user_type, operator.must_change_password,
      operator.disabled_at is not null as is_disabled, tenant_is_open(tenant) as tenant_is_active
    from operator join tenant on tenant.id = operator.tenant_id
    where lower(operator.username) = ${username.toLowerCase()}`);
}

/** The same condition as in `find_session`: expired rows remain until the cleanup job. */
export function isSessionAliveSql(alias: Sql): Sql {
  return sql`(${alias}.expires_at > now() and ${alias}.last_seen_at > now() - interval '30 minutes')`;
}

export async function insertSession(
  db: Db,
  account: AccountKey,
  tokenHash: Buffer,
  origin: Origin,
): Promise<void> {
  await db.run(sql`
    insert into session (token_hash, tenant_id, operator_id, expires_at, address, user_agent)
    values (${tokenHash}, ${account.tenantId}, ${account.operatorId},
      now() + make_interval(secs => ${SESSION_SECONDS}), ${origin.address}, ${origin.userAgent})`);
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

/**
 * Records the time of the sign-in. False when the account was deleted, disabled or had its password
 * reset since the password was compared.
 */
export async function updateLastSignIn(
  db: Db,
  { tenantId, operatorId, passwordHash }: AccountRow,
): Promise<boolean> {
  const updated = await db.run(sql`
    update operator set last_sign_in_at = now()
    where tenant_id = ${tenantId} and id = ${operatorId} and password_hash = ${passwordHash}
      and disabled_at is null`);
  return updated === 1;
}

/**
 * SQL equivalent of `accountKeyOf`: the key under which failed sign-ins of an account are counted.
 */
export function accountKeySql(username: Sql): Sql {
  return sql`'account:' || rtrim(translate(
    encode(sha256(convert_to(lower(${username}), 'UTF8')), 'base64'), '+/', '-_'), '=')`;
}

/**
 * False when the password was reset, or the account disabled, since the old password was compared.
 */
export async function updatePassword(
  db: Db,
  account: AccountRow,
  passwordHash: string,
): Promise<boolean> {
  const updated = await db.run(sql`
    update operator set password_hash = ${passwordHash}, must_change_password = false
    where tenant_id = ${account.tenantId} and id = ${account.operatorId}
      and password_hash = ${account.passwordHash} and disabled_at is null`);
  return updated === 1;
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
  entry: { username: string; outcome: SignInOutcome; tenantId?: number; operatorId?: number },
  origin: Origin,
): Promise<void> {
  await db.run(sql`
    insert into login_log (tenant_id, operator_id, username, outcome, address, user_agent)
    values (${entry.tenantId ?? null}, ${entry.operatorId ?? null}, ${entry.username},
      ${entry.outcome}, ${origin.address}, ${origin.userAgent})`);
}

/**
 * Deletes expired sessions, used captchas, failures older than a day, and login logs older than a
 * year.
 */
export async function deleteExpiredSignIns(db: Db): Promise<void> {
  await db.run(sql`delete from session where not ${isSessionAliveSql(sql`session`)}`);
  await db.run(sql`delete from login_log where at < now() - interval '1 year'`);
  await db.run(sql`delete from captcha_use where expires_at < now()`);
  await db.run(sql`delete from sign_in_throttle where last_failure_at < now() - interval '1 day'`);
}
