// SQL for the demo's read marks of announcements by end users.
import { type Db, sql } from "../../platform/db/db.ts";

/** Two in five of the end users registered before publication, within the first days. */
export async function insertPeopleReads(db: Db): Promise<void> {
  await db.run(sql`
    insert into announcement_read (tenant_id, announcement_id, reader_kind, reader_id, read_at)
    select a.tenant_id, a.id, 'END_USER', u.id, r.at
    from announcement a
    join end_user u on u.tenant_id = a.tenant_id and u.deleted_at is null
      and u.created_at < a.publish_at
    cross join lateral (select a.publish_at + u.id % 97 * interval '53 minutes' as at) r
    where a.audience = 'END_USER' and a.state = 'PUBLISHED' and u.id % 5 < 2 and r.at < now()`);
}
