// SQL for daily order figures: each change inserts a delta row, and a job folds deltas into days.
import type { FigureSums } from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

/** Dimensions and day of a figure. */
export interface FiguresKey {
  tenantId: number;
  side: Side;
  cabinetId: number;
  /** Store of the cabinet when the order began. */
  storeId: number | null;
  /** ISO 8601; counted on its day in Asia/Shanghai. Defaults to now. */
  at?: string;
}

/** Adds figures in the transaction of the change; absent figures count as 0. */
export async function addFigures(
  db: Db,
  { tenantId, side, cabinetId, storeId, at }: FiguresKey,
  figures: Partial<FigureSums>,
): Promise<void> {
  const n = (key: keyof FigureSums) => figures[key] ?? 0;
  await db.run(sql`
    insert into order_delta (tenant_id, day, side, store_id, cabinet_id, started, stored, completed,
      overdue, income_fen, bonus_fen, refund_fen, stay_minutes, openings, opened)
    values (${tenantId},
      (coalesce(${at ?? null}::timestamptz, now()) at time zone 'Asia/Shanghai')::date,
      ${side}, ${storeId}, ${cabinetId}, ${n("started")}, ${n("stored")}, ${n("completed")},
      ${n("overdue")}, ${n("incomeFen")}, ${n("bonusFen")}, ${n("refundFen")},
      ${n("stayMinutes")}, ${n("openings")}, ${n("opened")})`);
}

/**
 * Folds up to `limit` deltas of all tenants in one statement (SKIP LOCKED); returns their number.
 */
export async function foldFigures(db: Db, limit: number): Promise<number> {
  const { folded } = await db.one<{ folded: number }>(sql`
    with picked as (
      select tenant_id, id from order_delta order by tenant_id, id limit ${limit}
      for update skip locked
    ), gone as (
      delete from order_delta using picked
      where order_delta.tenant_id = picked.tenant_id and order_delta.id = picked.id
      returning order_delta.*
    ), kept as (
      insert into order_day (tenant_id, day, side, store_id, cabinet_id, started, stored,
        completed, overdue, income_fen, bonus_fen, refund_fen, stay_minutes, openings, opened)
      select tenant_id, day, side, store_id, cabinet_id, sum(started), sum(stored), sum(completed),
        sum(overdue), sum(income_fen), sum(bonus_fen), sum(refund_fen), sum(stay_minutes),
        sum(openings), sum(opened)
      from gone group by tenant_id, day, side, store_id, cabinet_id
      order by tenant_id, day, side, store_id, cabinet_id
      on conflict (tenant_id, day, side, store_id, cabinet_id) do update set
        started = order_day.started + excluded.started, stored = order_day.stored + excluded.stored,
        completed = order_day.completed + excluded.completed,
        overdue = order_day.overdue + excluded.overdue,
        income_fen = order_day.income_fen + excluded.income_fen,
        bonus_fen = order_day.bonus_fen + excluded.bonus_fen,
        refund_fen = order_day.refund_fen + excluded.refund_fen,
        stay_minutes = order_day.stay_minutes + excluded.stay_minutes,
        openings = order_day.openings + excluded.openings,
        opened = order_day.opened + excluded.opened
    )
    select count(*)::int as folded from gone`);
  return folded;
}
