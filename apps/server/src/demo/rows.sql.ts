// Bulk inserts for the demo: objects whose keys are the table's columns.
import type { Db } from "../platform/db/db.ts";
import { raw, sql } from "../platform/db/sql.ts";

const ROWS_A_STATEMENT = 5_000;

/** All rows have the keys of the first; other columns take their default. */
export async function insertRows(db: Db, table: string, rows: readonly object[]): Promise<void> {
  const columns = raw(Object.keys(rows[0] ?? {}).join(", "));
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const json = JSON.stringify(rows.slice(start, start + ROWS_A_STATEMENT));
    await db.run(sql`
      insert into ${raw(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${raw(table)}, ${json})`);
  }
}

/** Like `insertRows`, for few rows whose ids are needed; ids in the order of the rows. */
export async function insertRowsReturningIds(
  db: Db,
  table: string,
  key: string,
  rows: readonly object[],
): Promise<number[]> {
  const columns = raw(Object.keys(rows[0] ?? {}).join(", "));
  const inserted = await db.many<{ id: number; key: string }>(sql`
    insert into ${raw(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows)})
    returning id, ${raw(key)} as key`);
  const idOf = new Map(inserted.map((row) => [row.key, row.id]));
  return rows.map((row) => idOf.get(String((row as Record<string, unknown>)[key])) as number);
}

/** Like `insertRows`, for a table with generated ids; the ids ascend in the order of the rows. */
export async function insertNumberedRows(
  db: Db,
  table: string,
  rows: readonly object[],
): Promise<number[]> {
  const columns = raw(Object.keys(rows[0] ?? {}).join(", "));
  const ids: number[] = [];
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const json = JSON.stringify(rows.slice(start, start + ROWS_A_STATEMENT));
    const inserted = await db.many<{ id: number }>(sql`
      insert into ${raw(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${raw(table)}, ${json})
      returning id`);
    for (const { id } of inserted) ids.push(id);
  }
  return ids.sort((one, other) => one - other);
}
