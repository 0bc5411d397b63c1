// SQL for impersonation sessions.
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

const IMPERSONATION_MINUTES = 60;

/** Ends an earlier impersonation by the same session: only one tenant at a time. */
export async function endImpersonationsOf(db: Db, session: Session): Promise<void> {
  await db.run(sql`delete from session where opened_by = ${session.tokenHash}`);
}

/** Lasts `IMPERSONATION_MINUTES`, and never longer than the session that opened it. */
export async function insertImpersonation(
  db: Db,
  session: Session,
  tenantId: number,
  tokenHash: Buffer,
): Promise<{ seconds: number }> {
  return db.one(sql`
    insert into session (token_hash, tenant_id, operator_id, expires_at, address, user_agent,
      visited_tenant_id, opened_by, has_mac)
    select ${tokenHash}, tenant_id, operator_id,
      least(expires_at, now() + make_interval(mins => ${IMPERSONATION_MINUTES})), address, user_agent,
      ${tenantId}, token_hash, true
    from session where token_hash = ${session.tokenHash}
    returning extract(epoch from expires_at - now())::int as seconds`);
}
