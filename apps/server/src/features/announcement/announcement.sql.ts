// Announcements in the database.
import type { VersionNotice } from "@cabinet/contract/announcement/announcement.contract.ts";
import { type Db, sql } from "../../platform/db.ts";

/** The published notice that was changed last, or null when there is none. */
export function findLatestAnnouncement(db: Db): Promise<VersionNotice | null> {
  return db.maybe(sql`
    select version, content, updated_at as "updateTime" from announcement
    where state = 'PUBLISHED'
    order by updated_at desc, id desc
    limit 1`);
}
