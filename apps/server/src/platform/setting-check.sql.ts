// How a setting of somebody else's service stands after it was tried, in the setting's own row.
import type { SettingCheckState } from "@cabinet/contract/kit/setting-check.rules.ts";
import { type Db, type Sql, sql } from "./db.ts";

export interface CheckedRow {
  table: Sql;
  where: Sql;
}

export async function markChecking(db: Db, { table, where }: CheckedRow): Promise<void> {
  await db.run(sql`update ${table} set check_state = 'PENDING', check_text = '' where ${where}`);
}

/** Says nothing of a setting that was changed while it was being tried. */
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
