// Filters people by phone: a whole number by equality, a part of it through a trigram index.
import { type Sql, sql } from "./sql.ts";

const WHOLE = 11;

/** `digits` as validation normalises a `PhonePart`. */
export function phoneSql(column: Sql, digits: string): Sql {
  return digits.length === WHOLE
    ? sql`${column} = ${digits}`
    : sql`${column} like ${`%${digits}%`}`;
}
