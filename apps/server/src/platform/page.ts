// A page of a list: the rows and how many there are in all, asked for in one round trip.
import { type Page, type PageRequest, TOTAL_CAP } from "@cabinet/contract/kit/pagination.ts";
import { type Db, type Sql, sql } from "./db.ts";

/** The `limit` and `offset` of the page asked for. */
export function pageLimits({ page, pageSize }: PageRequest): Sql {
  return sql`limit ${pageSize} offset ${(page - 1) * pageSize}`;
}

/** `rows` gives the page; `matching` is `from … where …` of all its rows, counted up to the cap. */
export async function findPage<Row>(
  db: Db,
  { rows, matching }: { rows: Sql; matching: Sql },
): Promise<Page<Row>> {
  const [list, { total }] = await Promise.all([
    db.many<Row>(rows),
    db.one<{ total: number }>(sql`
      select count(*)::int as total from (select ${matching} limit ${TOTAL_CAP + 1}) found`),
  ]);
  return total > TOTAL_CAP ? { list, total: TOTAL_CAP, isTotalCapped: true } : { list, total };
}
