// Days of Shanghai, where every cabinet stands; times are stored with their zone.
import { type Sql, sql } from "./sql.ts";

export const todaySql = sql`(now() at time zone 'Asia/Shanghai')::date`;

/** Midnight at which a day begins, or the day so many days later. */
export const dayStartSql = (day: string | Sql | null, daysLater = 0): Sql =>
  sql`((${day}::date + ${daysLater}::int)::timestamp at time zone 'Asia/Shanghai')`;
