// SQL for the openids of users in a tenant's mini-program.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { SignedInUser } from "./app-sign-in.sql.ts";

interface Openid {
  tenantId: number;
  /** The mini-program that this openid belongs to. */
  appId: string;
  openid: string;
}

/** Null: no phone is bound to this openid yet. */
export function findMiniProgramUser(
  db: Db,
  { tenantId, appId, openid }: Openid,
): Promise<SignedInUser | null> {
  return db.maybe(sql`
    with seen as (
      update mini_program_user set last_seen_at = now()
      where tenant_id = ${tenantId} and app_id = ${appId} and openid = ${openid}
      returning end_user_id
    )
    update end_user set last_seen_at = now() from seen
    where end_user.tenant_id = ${tenantId} and end_user.id = seen.end_user_id
    returning end_user.id, end_user.phone, end_user.name, is_locked(end_user) as is_locked,
      end_user.locked_until`);
}

/**
 * Binds the openid to the user; another openid with this phone must verify it again. Requires the
 * lock on the end user's row.
 */
export async function bindMiniProgramUser(
  db: Db,
  { tenantId, appId, openid }: Openid,
  endUserId: number,
): Promise<void> {
  await db.run(sql`
    delete from mini_program_user
    where tenant_id = ${tenantId} and app_id = ${appId} and end_user_id = ${endUserId}
      and openid <> ${openid}`);
  await db.run(sql`
    insert into mini_program_user (tenant_id, app_id, openid, end_user_id)
    values (${tenantId}, ${appId}, ${openid}, ${endUserId})
    on conflict (tenant_id, app_id, openid) do update
      set end_user_id = excluded.end_user_id, bound_at = now(), last_seen_at = now()`);
}

/** The openid of this user in this mini-program; null when they never signed in to it. */
export async function findOpenid(
  db: Db,
  { tenantId, endUserId }: { tenantId: number; endUserId: number },
  appId: string,
): Promise<string | null> {
  const row = await db.maybe<{ openid: string }>(sql`
    select openid from mini_program_user
    where tenant_id = ${tenantId} and app_id = ${appId} and end_user_id = ${endUserId}`);
  return row?.openid ?? null;
}
