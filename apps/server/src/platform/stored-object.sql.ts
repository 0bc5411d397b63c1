// Objects of the storage as the database knows them: before they are written until after they are removed.
import { type Db, sql } from "./db.ts";

export async function insertStoredObject(db: Db, key: string): Promise<void> {
  await db.run(sql`insert into stored_object (key) values (${key})`);
}

export async function deleteStoredObject(db: Db, key: string): Promise<void> {
  await db.run(sql`delete from stored_object where key = ${key}`);
}

/** Objects that no file stands for, a day after they were made: of uploads that failed or were swept. */
export async function findStrayObjects(db: Db, limit: number): Promise<string[]> {
  const rows = await db.many<{ key: string }>(sql`
    select key from stored_object o
    where created_at < now() - interval '1 day'
      and not exists (select from file f where f.storage_key = o.key)
    order by created_at limit ${limit}`);
  return rows.map(({ key }) => key);
}
