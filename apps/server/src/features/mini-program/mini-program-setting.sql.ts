// The settings of mini-programs in the database; secrets lie there sealed.
import type { SettingCheckState } from "@cabinet/contract/kit/setting-check.rules.ts";
import type { MiniProgramSetting } from "@cabinet/contract/mini-program/mini-program.contract.ts";
import { type Db, sql } from "../../platform/db.ts";

type ShownSetting = Omit<MiniProgramSetting, "tenantName" | "paymentAppId">;

/** Without anything that is secret. */
export function findShownSetting(db: Db, tenantId: number): Promise<ShownSetting | null> {
  return db.maybe(sql`
    select s.tenant_id as "tenantId", s.app_id as "appId", true as "hasSecret",
      s.check_state as "checkState", s.check_text as "checkText", s.checked_at as "checkedAt",
      (select max(u.last_seen_at) from mini_program_user u
        where u.tenant_id = s.tenant_id and u.app_id = s.app_id) as "lastSignInAt",
      s.edit_version as "editVersion", s.edited_at as "editedAt", s.edited_by as "editedBy"
    from mini_program_setting s where s.tenant_id = ${tenantId}`);
}

export interface SettingRow {
  tenantId: number;
  appId: string;
  sealedSecret: Buffer;
  editVersion: number;
  editedBy: string;
}

const columns = sql`
  tenant_id as "tenantId", app_id as "appId", sealed_secret as "sealedSecret",
  edit_version as "editVersion", edited_by as "editedBy"`;

export function findSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(sql`select ${columns} from mini_program_setting where tenant_id = ${tenantId}`);
}

export function lockSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(
    sql`select ${columns} from mini_program_setting where tenant_id = ${tenantId} for update`,
  );
}

/** What is there now waits to be checked. */
export async function writeSetting(
  db: Db,
  setting: Omit<SettingRow, "editVersion">,
): Promise<void> {
  await db.run(sql`
    insert into mini_program_setting as s (tenant_id, app_id, sealed_secret, edited_by, check_state)
    values (${setting.tenantId}, ${setting.appId}, ${setting.sealedSecret}, ${setting.editedBy},
      'PENDING')
    on conflict (tenant_id) do update set app_id = excluded.app_id,
      sealed_secret = excluded.sealed_secret, check_state = 'PENDING', check_text = '',
      checked_at = null, edit_version = s.edit_version + 1, edited_at = now(),
      edited_by = excluded.edited_by`);
}

export async function markChecking(db: Db, tenantId: number): Promise<void> {
  await db.run(sql`
    update mini_program_setting set check_state = 'PENDING', check_text = ''
    where tenant_id = ${tenantId}`);
}

/** Says nothing of a setting that was changed while it was being checked. */
export async function writeCheck(
  db: Db,
  { tenantId, editVersion }: { tenantId: number; editVersion: number },
  checkState: SettingCheckState,
  text: string,
): Promise<void> {
  await db.run(sql`
    update mini_program_setting
    set check_state = ${checkState}, check_text = ${text}, checked_at = now()
    where tenant_id = ${tenantId} and edit_version = ${editVersion}`);
}
