// Received pushes of WeChat and the delivery status of a tenant's pushes in SQL.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

/** False if the push was received before. */
export async function insertPush(
  db: Db,
  push: { tenantId: number; digest: Buffer; appId: string; event: string },
): Promise<boolean> {
  const { isNew } = await db.one<{ isNew: boolean }>(sql`
    insert into mini_program_push as push (tenant_id, digest, app_id, event)
    values (${push.tenantId}, ${push.digest}, ${push.appId}, ${push.event})
    on conflict (tenant_id, digest) do update set times = push.times + 1, seen_at = now()
    returning push.times = 1 as is_new`);
  return isNew;
}

interface Version {
  tenantId: number;
  editVersion: number;
}

/** Clears the previous problem; at most one write a minute for a busy mini-program. */
export async function writePushSeen(
  db: Db,
  { tenantId, editVersion }: Version,
  isProof: boolean,
): Promise<void> {
  await db.run(sql`
    update mini_program_setting set push_trouble = '', push_trouble_at = null,
      push_proven_at = case when ${isProof}::boolean then now() else push_proven_at end,
      push_seen_at = case when ${isProof}::boolean then push_seen_at else now() end
    where tenant_id = ${tenantId} and edit_version = ${editVersion}
      and (${isProof}::boolean or push_trouble <> ''
        or push_seen_at is null or push_seen_at < now() - interval '1 minute')`);
}

/** At most one write a minute, against flooding by strangers. */
export async function writePushTrouble(
  db: Db,
  { tenantId, editVersion }: Version,
  text: string,
): Promise<void> {
  await db.run(sql`
    update mini_program_setting set push_trouble = ${text}, push_trouble_at = now()
    where tenant_id = ${tenantId} and edit_version = ${editVersion}
      and (push_trouble_at is null or push_trouble_at < now() - interval '1 minute')`);
}

/** WeChat repeats within seconds; a month of history serves support questions. */
export async function deleteOldPushes(db: Db): Promise<void> {
  await db.run(sql`delete from mini_program_push where received_at < now() - interval '30 days'`);
}
