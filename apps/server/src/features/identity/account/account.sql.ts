// SQL for one's own account: every statement is limited to the session's account.
import type {
  accountContract,
  OwnSession,
  OwnSignIn,
  Profile,
} from "@cabinet/contract/identity/account/account.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { isSessionAliveSql } from "../auth/index.ts";

/**
 * Compares with the home tenant: during impersonation the account has no row in the visited tenant.
 */
function isOwn({ homeTenantId, operatorId }: Session, tenantColumn: Sql, idColumn: Sql): Sql {
  return sql`${tenantColumn} = ${homeTenantId} and ${idColumn} = ${operatorId}`;
}

const isOwnAccount = (session: Session) =>
  isOwn(session, sql`operator.tenant_id`, sql`operator.id`);
const isOwnSession = (session: Session) =>
  isOwn(session, sql`session.tenant_id`, sql`session.operator_id`);
const isOwnSignIn = (session: Session) =>
  isOwn(session, sql`login.tenant_id`, sql`login.operator_id`);
const isOwnChoice = (session: Session) =>
  isOwn(session, sql`preference.tenant_id`, sql`preference.operator_id`);

/** Returns the full phone; the service masks it. */
export function findProfile(db: Db, session: Session): Promise<Profile | null> {
  return db.maybe(sql`
    select operator.username, operator.display_name, operator.phone, operator.user_type,
      tenant.name as tenant_name, operator.created_at, operator.last_sign_in_at,
      operator.edit_version,
      array(
        select role.name from operator_role
        join role on role.tenant_id = operator_role.tenant_id and role.id = operator_role.role_id
        where operator_role.tenant_id = operator.tenant_id
          and operator_role.operator_id = operator.id order by role.name) as roles
    from operator join tenant on tenant.id = operator.tenant_id
    where ${isOwnAccount(session)}`);
}

export interface ProfileRow {
  displayName: string;
  phone: string;
  editVersion: number;
}

export function lockProfile(db: Db, session: Session): Promise<ProfileRow | null> {
  return db.maybe(sql`
    select operator.display_name, operator.phone, operator.edit_version
    from operator where ${isOwnAccount(session)} for no key update`);
}

type Seen<Row extends { device: string }> = Omit<Row, "device"> & { userAgent: string | null };

/** Live sessions, the current one first; without impersonation sessions. */
export function findSessions(db: Db, session: Session): Promise<Seen<OwnSession>[]> {
  return db.many(sql`
    select session.id, session.token_hash = ${session.tokenHash} as is_current, session.created_at,
      session.last_seen_at, host(session.address) as address, session.user_agent
    from session
    where ${isOwnSession(session)} and session.visited_tenant_id is null
      and ${isSessionAliveSql(sql`session`)}
    order by is_current desc, session.last_seen_at desc, session.id desc`);
}

const signInFields = sql`
  login.id, login.at, login.outcome, host(login.address) as address, login.user_agent,
  login.is_new_device`;

/**
 * The latest sign-in from a browser that was new to the account, other than the session's. The server keeps no mark that
 * it was seen: a thief of the password could set it, too.
 */
export function findNewDevice(db: Db, session: Session): Promise<Seen<OwnSignIn> | null> {
  return db.maybe(sql`
    select ${signInFields}
    from login_log login
    where ${isOwnSignIn(session)} and login.is_new_device and login.at > now() - interval '30 days'
      and login.device_id is distinct from (
        select session.device_id from session where session.token_hash = ${session.tokenHash})
    order by login.at desc, login.id desc limit 1`);
}

/** Latest first. */
export function findSignIns(
  db: Db,
  session: Session,
  query: Input<typeof accountContract.signIns>["query"],
): Promise<Page<Seen<OwnSignIn>>> {
  const matched = sql`from login_log login where ${isOwnSignIn(session)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${signInFields}
      ${matched} order by login.at desc, login.id desc ${pageLimits(query)}`,
  });
}

export interface PreferenceRow {
  name: string;
  value: unknown;
}

export function findPreferences(db: Db, session: Session): Promise<PreferenceRow[]> {
  return db.many(sql`
    select preference.name, preference.value from operator_preference preference
    where ${isOwnChoice(session)} order by preference.name`);
}

/** Upserts: the last value for a name wins. */
export async function writePreferences(
  db: Db,
  { tenantId, operatorId }: Session,
  rows: PreferenceRow[],
): Promise<void> {
  const values = JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
  await db.run(sql`
    insert into operator_preference (tenant_id, operator_id, name, value)
    select ${tenantId}, ${operatorId}, pair.key, nullif(pair.value, 'null'::jsonb)
    from jsonb_each(${values}::jsonb) pair
    on conflict (tenant_id, operator_id, name)
    do update set value = excluded.value, changed_at = now()`);
}

/** Among the preferences; the console's settings do not show it. */
const READ_UNTIL = "notificationsReadUntil";

/** Time up to which the account has seen the states in its notification centre; null: never. */
export async function findReadUntil(db: Db, session: Session): Promise<string | null> {
  const found = await findPreferences(db, session);
  return (found.find(({ name }) => name === READ_UNTIL)?.value as string | undefined) ?? null;
}

export function writeReadUntil(db: Db, session: Session, until: string): Promise<void> {
  return writePreferences(db, session, [{ name: READ_UNTIL, value: until }]);
}
