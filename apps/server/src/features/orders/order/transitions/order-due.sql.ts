// SQL for orders whose deadline has passed, and for the monthly partitions of `storage_order`.
import type { Db } from "../../../../platform/db/db.ts";
import { sql } from "../../../../platform/db/sql.ts";
import type { LockedOrder } from "./live-order.sql.ts";

/** Deposits, by the end of their time limit. */
export const depositQueue = sql`
  select tenant_id, order_id::text as key, deposit_until as due_at from live_order
  where deposit_until is not null`;

/** Stored orders, by the time at which they become overdue. */
export const overdueQueue = sql`
  select live_order.tenant_id, live_order.order_id::text as key, live_order.overdue_at as due_at
  from live_order
  join storage_order ord on ord.tenant_id = live_order.tenant_id and ord.id = live_order.order_id
    and ord.state = 'STORED'
  where live_order.overdue_at is not null`;

/**
 * Due before a backup was restored: the notice went out before then, and the goods may be gone by
 * now.
 */
export async function wasDueBeforeRestoration(
  db: Db,
  { overdueAt }: Pick<LockedOrder, "overdueAt">,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select from restoration where restored_at >= ${overdueAt} limit 1`);
  return found !== null;
}

/** Creates the partitions of this month and the next `ahead` ones where missing. */
export async function ensureMonths(db: Db, ahead: number): Promise<void> {
  // Orders inserted before their month's partition existed move into it, which can take long.
  await db.run(sql`select set_config('statement_timeout', '0', true)`);
  await db.run(sql`
    select ensure_order_month((date_trunc('month', now() at time zone 'Asia/Shanghai')
      + make_interval(months => n))::date)
    from generate_series(0, ${ahead}::int) n`);
}
