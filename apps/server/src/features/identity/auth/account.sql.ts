// SQL for the rows of console accounts: their only writer, and the account that signs in.
import { FIRST_PASSWORD_DAYS } from "@cabinet/contract/identity/auth/password.rules.ts";
import type { UserType } from "@cabinet/contract/vocabulary/account.ts";
import type { AccountKey, Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { dayStartSql } from "../../../platform/db/shanghai.sql.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

export interface NewOperatorRow {
  tenantId: number;
  username: string;
  displayName: string;
  passwordHash: string;
  userType: UserType;
  mustChangePassword: boolean;
  /** How long the password is accepted for the first sign-in; absent: for ever. */
  firstPasswordDays?: number;
  phone?: string;
  remark?: string;
}

export async function insertOperator(db: Db, operator: NewOperatorRow): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into operator (tenant_id, username, display_name, password_hash, user_type,
      must_change_password, first_password_until, phone, remark)
    values (${operator.tenantId}, ${operator.username}, ${operator.displayName},
      ${operator.passwordHash}, ${operator.userType}, ${operator.mustChangePassword},
      now() + make_interval(days => ${operator.firstPasswordDays ?? null}::int), ${operator.phone ?? ""}, ${operator.remark ?? ""})
    returning id`);
  return id;
}

/** Usernames are unique across tenants; the answer does not reveal the owner of a taken one. */
export function isUsernameTaken(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === "operator_username";
}

/** The tenant's other accounts. Serialised by tenant: no two take the same name at once. */
export async function lockOtherNames(
  db: Db,
  { tenantId, operatorId }: { tenantId: number; operatorId: number | null },
): Promise<{ displayName: string; username: string }[]> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('display name'), ${tenantId})`);
  return db.many(sql`
    select operator.display_name, operator.username from operator
    where operator.tenant_id = ${tenantId} and operator.id is distinct from ${operatorId}::bigint`);
}

export async function hasOperators(db: Db): Promise<boolean> {
  return (await db.maybe(sql`select 1 from operator limit 1`)) !== null;
}

export async function updateAccount(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  operator: { userType: UserType; displayName: string; phone: string; remark: string },
): Promise<void> {
  await db.run(sql`
    update operator set display_name = ${operator.displayName}, phone = ${operator.phone},
      remark = ${operator.remark}, edit_version = edit_version + 1
    where tenant_id = ${tenantId} and id = ${operatorId}`);
  // Separate statement: a change of the user type recalculates the permissions.
  await db.run(sql`
    update operator set user_type = ${operator.userType}
    where tenant_id = ${tenantId} and id = ${operatorId} and user_type <> ${operator.userType}`);
}

export async function updateDisabled(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  disabled: { by: string; reason: string } | null,
): Promise<void> {
  await db.run(sql`
    update operator set disabled_at = ${disabled ? sql`now()` : null},
      disabled_by = ${disabled?.by ?? null}, disable_reason = ${disabled?.reason ?? null},
      edit_version = edit_version + 1
    where tenant_id = ${tenantId} and id = ${operatorId}`);
}

/** Password set by another account: its owner must change it at the next sign-in. */
export async function updateFirstPassword(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  passwordHash: string,
): Promise<void> {
  await db.run(sql`
    update operator set password_hash = ${passwordHash}, must_change_password = true,
      first_password_until = now() + make_interval(days => ${FIRST_PASSWORD_DAYS})
    where tenant_id = ${tenantId} and id = ${operatorId}`);
}

/** False when it was so before. */
export async function updateHasSecondFactor(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  hasSecondFactor: boolean,
): Promise<boolean> {
  const updated = await db.run(sql`
    update operator set has_second_factor = ${hasSecondFactor}
    where tenant_id = ${tenantId} and id = ${operatorId} and has_second_factor <> ${hasSecondFactor}`);
  return updated === 1;
}

/** Roles, stores and sessions are deleted by cascade; logs keep the name. */
export async function deleteAccount(db: Db, { tenantId, operatorId }: AccountKey): Promise<void> {
  await db.run(sql`delete from operator where tenant_id = ${tenantId} and id = ${operatorId}`);
}

export interface AccountRow {
  tenantId: number;
  operatorId: number;
  username: string;
  displayName: string;
  tenantName: string;
  passwordHash: string;
  userType: UserType;
  mustChangePassword: boolean;
  isFirstPasswordExpired: boolean;
  hasSecondFactor: boolean;
  needsSecondFactor: boolean;
  isFactorExempt: boolean;
  permissions: string[];
  isDisabled: boolean;
  tenantIsActive: boolean;
}

export const isFirstPasswordExpiredSql = sql`
  operator.must_change_password and coalesce(operator.first_password_until < now(), false)`;

/** End of the exception of the account or its tenant; null: there was none. */
export const factorExemptUntilSql = sql`
  greatest(operator.factor_exempt_until, tenant.factor_exempt_until)`;

/** The same for display: null for an exception that is over or, as in the demo, has no end. */
export const shownExemptUntilSql = (until: Sql) =>
  sql`case when ${until} > now() and isfinite(${until}) then ${until} end`;

/** Writes the last day of the account's exception; null ends it. */
export async function updateFactorExemption(
  db: Db,
  { tenantId, operatorId }: AccountKey,
  until: string | null,
): Promise<void> {
  await db.run(sql`
    update operator set factor_exempt_until = ${dayStartSql(until, 1)}
    where tenant_id = ${tenantId} and id = ${operatorId}`);
}

/** As in `factor_is_exempt`. */
export const isFactorExemptSql = sql`coalesce(${factorExemptUntilSql} > now(), false)`;

/**
 * Lowercases in JavaScript, like the failure counter: another spelling must not be counted
 * separately.
 */
export function findAccount(db: Db, username: string): Promise<AccountRow | null> {
  return db.maybe(sql`
    select operator.tenant_id, operator.id as operator_id, operator.username,
      operator.display_name, tenant.name as tenant_name,
      operator.password_hash, operator.user_type, operator.must_change_password,
      ${isFirstPasswordExpiredSql} as is_first_password_expired,
      operator.has_second_factor, operator.needs_second_factor, operator.permissions,
      ${isFactorExemptSql} as is_factor_exempt,
      operator.disabled_at is not null as is_disabled, tenant_is_open(tenant) as tenant_is_active
    from operator join tenant on tenant.id = operator.tenant_id
    where lower(operator.username) = ${username.toLowerCase()}`);
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

/** One's own account: during impersonation it has no row in the visited tenant. */
export async function updateProfile(
  db: Db,
  { homeTenantId, operatorId }: Session,
  { displayName, phone }: { displayName: string; phone: string },
): Promise<void> {
  await db.run(sql`
    update operator set display_name = ${displayName}, phone = ${phone},
      edit_version = edit_version + 1
    where tenant_id = ${homeTenantId} and id = ${operatorId}`);
}
