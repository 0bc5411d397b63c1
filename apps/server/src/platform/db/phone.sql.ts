// Filters people by phone: a whole number by equality, a part of it through a trigram index.
import { isPlatformStaff, type Session } from "../context.ts";
import { type Sql, sql } from "./sql.ts";

const WHOLE = 11;

/** `digits` as validation normalises a `PhonePart`. */
export function phoneSql(column: Sql, digits: string): Sql {
  return digits.length === WHOLE
    ? sql`${column} = ${digits}`
    : sql`${column} like ${`%${digits}%`}`;
}

/** Like `phoneSql` for rows of `end_user`; a tenant reaches the index only through a function (migration 0095). */
export function endUserPhoneSql(session: Session, digits: string): Sql {
  return digits.length === WHOLE || isPlatformStaff(session)
    ? phoneSql(sql`end_user.phone`, digits)
    : sql`end_user.id = any(array(select end_users_with_digits(${digits})))`;
}
