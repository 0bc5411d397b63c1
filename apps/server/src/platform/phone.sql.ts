// Looking for people by their phone: the whole of it, or a part that a trigram index finds.
import { type Sql, sql } from "./db.ts";

const WHOLE = 11;

/** `digits` as `PhonePart` lets them through. */
export function phoneSql(column: Sql, digits: string): Sql {
  const given = digits.trim();
  return given.length === WHOLE ? sql`${column} = ${given}` : sql`${column} like ${`%${given}%`}`;
}
