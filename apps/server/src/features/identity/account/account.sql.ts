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
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { isSessionAliveSql } from "../auth/index.ts";

/**
 * Compares with the home tenant: during impersonation the account has no row in the visited tenant.
 */
function isOwn({ homeTenantId, operatorId }: Session, tenantColumn: Sql, idColumn: Sql): Sql {
  return sql`${tenantColumn} = ${homeTenantId} and ${idColumn} = ${operatorId}`;
}

const isOwnAccount = (session: Session) => isOwn(session, sql`o.tenant_id`, sql`o.id`);
const isOwnSession = (session: Session) => isOwn(session, sql`s.tenant_id`, sql`s.operator_id`);
const isOwnSignIn = (session: Session) => isOwn(session, sql`l.tenant_id`, sql`l.operator_id`);
const isOwnChoice = (session: Session) => isOwn(session, sql`p.tenant_id`, sql`p.operator_id`);

/** Returns the full phone; the service masks it. */
export function findProfile(db: Db, session: Session): Promise<Profile | null> {
  return db.maybe(sql`
    select o.username, o.display_name as "displayName", o.phone, o.user_type as "userType",
      t.name as "tenantName", o.created_at as "createdAt",
      o.last_sign_in_at as "lastSignInAt", o.edit_version as "editVersion",
      array(
        select r.name from operator_role b
        join role r on r.tenant_id = b.tenant_id and r.id = b.role_id
        where b.tenant_id = o.tenant_id and b.operator_id = o.id order by r.name) as roles
    from operator o join tenant t on t.id = o.tenant_id
    where ${isOwnAccount(session)}`);
}

export interface ProfileRow {
  displayName: string;
  phone: string;
  editVersion: number;
}

export function lockProfile(db: Db, session: Session): Promise<ProfileRow | null> {
  return db.maybe(sql`
    select o.display_name as "displayName", o.phone, o.edit_version as "editVersion"
    from operator o where ${isOwnAccount(session)} for no key update`);
}

export async function writeProfile(
  db: Db,
  session: Session,
  { displayName, phone }: Omit<ProfileRow, "editVersion">,
): Promise<void> {
  await db.run(sql`
    update operator o set display_name = ${displayName}, phone = ${phone},
      edit_version = edit_version + 1
    where ${isOwnAccount(session)}`);
}

type Seen<Row extends { device: string }> = Omit<Row, "device"> & { userAgent: string | null };

/** Live sessions, the current one first; without impersonation sessions. */
export function findSessions(db: Db, session: Session): Promise<Seen<OwnSession>[]> {
  return db.many(sql`
    select s.id, s.token_hash = ${session.tokenHash} as "isCurrent", s.created_at as "createdAt",
      s.last_seen_at as "lastSeenAt", host(s.address) as address, s.user_agent as "userAgent"
    from session s
    where ${isOwnSession(session)} and s.visited_tenant_id is null and ${isSessionAliveSql(sql`s`)}
    order by "isCurrent" desc, s.last_seen_at desc, s.id desc`);
}

/** Returns the number of deleted sessions. */
export function deleteOtherSessions(db: Db, session: Session): Promise<number> {
  return db.run(sql`
    delete from session s where ${isOwnSession(session)} and s.token_hash <> ${session.tokenHash}`);
}

/** Latest first. */
export function findSignIns(
  db: Db,
  session: Session,
  query: Input<typeof accountContract.signIns>["query"],
): Promise<Page<Seen<OwnSignIn>>> {
  const matched = sql`from login_log l where ${isOwnSignIn(session)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select l.id, l.at, l.outcome, host(l.address) as address, l.user_agent as "userAgent"
      ${matched} order by l.at desc, l.id desc ${pageLimits(query)}`,
  });
}

export interface PreferenceRow {
  name: string;
  value: unknown;
}

export function findPreferences(db: Db, session: Session): Promise<PreferenceRow[]> {
  return db.many(sql`
    select p.name, p.value from operator_preference p where ${isOwnChoice(session)} order by p.name`);
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
    select ${tenantId}, ${operatorId}, e.key, nullif(e.value, 'null'::jsonb)
    from jsonb_each(${values}::jsonb) e
    on conflict (tenant_id, operator_id, name)
    do update set value = excluded.value, changed_at = now()`);
}
