// Registry of stored objects: a row exists from before an object is written until after it is removed.
import type { Db } from "../db/db.ts";
import { sql } from "../db/sql.ts";

export async function insertStoredObject(db: Db, key: string): Promise<void> {
  await db.run(sql`insert into stored_object (key) values (${key})`);
}

export async function deleteStoredObject(db: Db, key: string): Promise<void> {
  await db.run(sql`delete from stored_object where key = ${key}`);
}

/** Objects without a file, a day after they were created: from failed uploads and swept files. */
export async function findStrayObjects(db: Db, limit: number): Promise<string[]> {
  const rows = await db.many<{ key: string }>(sql`
    select key from stored_object
    where created_at < now() - interval '1 day'
      and not exists (select from file where file.storage_key = stored_object.key)
    order by created_at limit ${limit}`);
  return rows.map(({ key }) => key);
}
