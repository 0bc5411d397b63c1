// SQL for the demo's read marks of announcements by end users.
import type { Db } from "../../platform/db/db.ts";
import { sql } from "../../platform/db/sql.ts";

/** Two in five of the end users registered before publication, within the first days. */
export async function insertPeopleReads(db: Db): Promise<void> {
  await db.run(sql`
    insert into announcement_read (tenant_id, announcement_id, reader_kind, reader_id, read_at)
    select announcement.tenant_id, announcement.id, 'END_USER', end_user.id, reading.at
    from announcement
    join end_user on end_user.tenant_id = announcement.tenant_id and end_user.deleted_at is null
      and end_user.created_at < announcement.publish_at
    cross join lateral (select announcement.publish_at + end_user.id % 97 * interval '53 minutes' as at) reading
    where announcement.audience = 'END_USER' and announcement.state = 'PUBLISHED'
      and end_user.id % 5 < 2 and reading.at < now()`);
}
