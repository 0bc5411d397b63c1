// Manual order of rows: a row swaps places with the one before or after it.
import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";

interface SortedRow {
  tenantId: number;
  id: number;
  sort: number;
}

/** `among` selects the rows of one order. False when there is no neighbour in this direction. */
export async function swapWithNeighbour(
  db: Db,
  { tenantId, id, sort }: SortedRow,
  step: "up" | "down",
  { table, among }: { table: Sql; among: Sql },
): Promise<boolean> {
  const beyond =
    step === "up" ? sql`(sort, id) < (${sort}, ${id})` : sql`(sort, id) > (${sort}, ${id})`;
  const nearest = step === "up" ? sql`sort desc, id desc` : sql`sort, id`;
  const swapped = await db.run(sql`
    with neighbour as (
      select id, sort from ${table} where tenant_id = ${tenantId} and ${among} and ${beyond}
      order by ${nearest} limit 1
    )
    update ${table} as moved
    set sort = case when moved.id = ${id} then neighbour.sort else ${sort} end
    from neighbour
    where moved.tenant_id = ${tenantId} and moved.id in (${id}, neighbour.id)`);
  return swapped === 2;
}
