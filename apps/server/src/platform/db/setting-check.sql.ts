// Result of the last check of an external service's setting, in the setting's own row.
import type { SettingCheckState } from "@cabinet/contract/kit/setting-check.rules.ts";
import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";

export interface CheckedRow {
  table: Sql;
  where: Sql;
}

export async function markChecking(db: Db, { table, where }: CheckedRow): Promise<void> {
  await db.run(sql`update ${table} set check_state = 'PENDING', check_text = '' where ${where}`);
}

/** Discards the result if the setting was changed during the check. */
export async function writeCheck(
  db: Db,
  { table, where }: CheckedRow,
  { editVersion, isOk, text }: { editVersion: number; isOk: boolean; text: string },
): Promise<void> {
  const state: SettingCheckState = isOk ? "OK" : "FAILED";
  await db.run(sql`
    update ${table} set check_state = ${state}, check_text = ${text}, checked_at = now()
    where ${where} and edit_version = ${editVersion}`);
}
