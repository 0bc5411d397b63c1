// SQL for the sign-in of app users: codes, sessions and the row that a first sign-in creates.
import type { EndUser, Origin } from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface AppSessionRow {
  endUserId: number;
  tenantId: number;
  phone: string;
  name: string;
  isLocked: boolean;
  lockedUntil: string | null;
  tenantIsActive: boolean;
  tenantIsDeleted: boolean;
}

export async function findAppSession(
  database: Database,
  tokenHash: Buffer,
): Promise<AppSessionRow | null> {
  const [row] = await database.unscoped<AppSessionRow>(
    sql`select * from find_app_session(${tokenHash})`,
  );
  return row ?? null;
}

/** A request for a code; the code is valid for its token alone. */
export interface CodeRequest {
  requestHash: Buffer;
  tenantId: number;
  phone: string;
}

export async function insertCode(
  db: Db,
  { requestHash, tenantId, phone }: CodeRequest,
  codeHash: Buffer,
  minutes: number,
): Promise<void> {
  await db.run(sql`
    insert into sign_in_request (request_hash, tenant_id, phone, code_hash, expires_at)
    values (${requestHash}, ${tenantId}, ${phone}, ${codeHash},
      now() + make_interval(mins => ${minutes}))`);
}

const isRequest = ({ requestHash, tenantId, phone }: CodeRequest) => sql`
  request_hash = ${requestHash} and tenant_id = ${tenantId} and phone = ${phone}`;

export function lockCode(
  db: Db,
  request: CodeRequest,
): Promise<{ codeHash: Buffer; failures: number } | null> {
  return db.maybe(sql`
    select code_hash, failures from sign_in_request
    where ${isRequest(request)} and expires_at > now()
    for update`);
}

export async function countCodeFailure(db: Db, request: CodeRequest): Promise<void> {
  await db.run(sql`
    update sign_in_request set failures = failures + 1 where ${isRequest(request)}`);
}

export async function deleteCode(db: Db, request: CodeRequest): Promise<void> {
  await db.run(sql`delete from sign_in_request where ${isRequest(request)}`);
}

export interface SignedInUser {
  id: number;
  phone: string;
  name: string;
  isLocked: boolean;
  lockedUntil: string | null;
}

const signedInColumns = sql`id, phone, name, is_locked(end_user) as is_locked, locked_until`;

/** The user with this phone at the tenant; creates one where there is none. */
export function ensureSignedInUser(
  db: Db,
  at: { tenantId: number; phone: string },
): Promise<SignedInUser> {
  return db.one(sql`
    insert into end_user (tenant_id, phone, last_seen_at)
    values (${at.tenantId}, ${at.phone}, now())
    on conflict (tenant_id, phone) do update set last_seen_at = now()
    returning ${signedInColumns}`);
}

/** The same for a closed tenant, which registers nobody; null where there is no such user. */
export function findSignedInUser(
  db: Db,
  at: { tenantId: number; phone: string },
): Promise<SignedInUser | null> {
  return db.maybe(sql`
    update end_user set last_seen_at = now()
    where tenant_id = ${at.tenantId} and phone = ${at.phone}
    returning ${signedInColumns}`);
}

export async function isKnownPhone(
  db: Db,
  at: { tenantId: number; phone: string },
): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from end_user where tenant_id = ${at.tenantId} and phone = ${at.phone}`);
  return found !== null;
}

export async function insertAppSession(
  db: Db,
  user: { tenantId: number; endUserId: number; tokenHash: Buffer },
  seconds: number,
  origin: Origin,
): Promise<void> {
  await db.run(sql`
    insert into app_session (token_hash, tenant_id, end_user_id, expires_at, address, user_agent, has_mac)
    values (${user.tokenHash}, ${user.tenantId}, ${user.endUserId},
      now() + make_interval(secs => ${seconds}), ${origin.address}, ${origin.userAgent}, true)`);
}

export async function deleteAppSession(db: Db, user: EndUser): Promise<void> {
  await db.run(sql`
    delete from app_session
    where tenant_id = ${user.tenantId} and token_hash = ${user.tokenHash}`);
}

/** Deletes expired sessions and codes. */
export async function deleteExpiredAppSignIns(db: Db): Promise<void> {
  await db.run(sql`
    delete from app_session
    where expires_at < now() or last_seen_at < now() - interval '7 days'`);
  await db.run(sql`delete from sign_in_request where expires_at < now()`);
  // Servers of the previous version still write this table.
  await db.run(sql`delete from sign_in_code where expires_at < now()`);
}

/** The user with this phone; creates the row here, before the person first signs in. */
export async function ensureUser(
  db: Db,
  { tenantId, phone }: { tenantId: number; phone: string },
): Promise<{ id: number }> {
  await db.run(sql`
    insert into end_user (tenant_id, phone) values (${tenantId}, ${phone})
    on conflict (tenant_id, phone) do nothing`);
  // A separate statement, so that its snapshot includes a row that the insert had to wait for.
  return db.one(sql`
    select id from end_user where tenant_id = ${tenantId} and phone = ${phone}`);
}
