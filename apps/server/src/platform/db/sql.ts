// SQL templates. Features use them only in *.sql.ts (import rules).
import sql, { join, raw, type Sql } from "sql-template-tag";
import { contains } from "./contains.ts";

export { join, raw, type Sql, sql };

/** Conjunction of the conditions that are given: a list's filter that is not set adds none. */
export function and(...conditions: (Sql | false | null | undefined | "" | 0)[]): Sql {
  return join(conditions.filter(Boolean), " and ");
}

/** One of the columns contains the text, in any case; no condition for a blank text. */
export function textSql(text: string | undefined, ...columns: Sql[]): Sql | false {
  if (!text?.trim()) return false;
  const found = columns.map((column) => sql`${column} ilike ${contains(text)}`);
  return sql`(${join(found, " or ")})`;
}

/**
 * Time from `from` to the end of the second `to`; no condition where neither is given. Screens choose and show whole
 * seconds, so adjoining periods share no row and lose none.
 */
export function periodSql(column: Sql, { from, to }: { from?: string; to?: string }): Sql | false {
  if (!from && !to) return false;
  return and(from && sql`${column} >= ${from}`, to && sql`${column} < ${endSql(to)}`);
}

/** End of a period whose last second is `to`: the first moment that it does not include. */
export const endSql = (to: string): Sql =>
  sql`date_trunc('second', ${to}::timestamptz) + interval '1 second'`;

export const directions = { asc: sql`asc`, desc: sql`desc` };
