// Filters people by phone: a whole number by equality, its last four digits, another part through a trigram index.
import { phoneSearchOf } from "@cabinet/contract/kit/phone.rules.ts";
import { isPlatformStaff, type Session } from "../context.ts";
import { type Sql, sql } from "./sql.ts";

/** `digits` as validation normalises a `PART` and the gate of phone searches admits it (0135). */
export function phoneSql(column: Sql, digits: string): Sql {
  const kind = phoneSearchOf(digits);
  if (kind === "WHOLE") return sql`${column} = ${digits}`;
  return sql`${column} like ${kind === "TAIL" ? `%${digits}` : `%${digits}%`}`;
}

/** Like `phoneSql` for rows of `end_user`; a tenant reaches the index only through a function (migration 0095). */
export function endUserPhoneSql(session: Session, digits: string): Sql {
  const kind = phoneSearchOf(digits);
  if (kind === "TAIL") return sql`end_user.phone_tail = ${digits}`;
  return kind === "WHOLE" || isPlatformStaff(session)
    ? phoneSql(sql`end_user.phone`, digits)
    : sql`end_user.id = any(array(select end_users_with_digits(${digits})))`;
}
