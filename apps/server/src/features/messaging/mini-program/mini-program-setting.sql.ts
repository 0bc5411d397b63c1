// Mini-program settings in SQL; secrets are stored sealed.
import type { MiniProgramSetting } from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import type { PushMode } from "@cabinet/contract/messaging/mini-program/mini-program.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { CheckedRow } from "../../../platform/db/setting-check.sql.ts";
import { sql } from "../../../platform/db/sql.ts";

type ShownSetting = Omit<MiniProgramSetting, "tenantName" | "paymentAppId">;

/** The setting without its secrets. */
export function findShownSetting(db: Db, tenantId: number): Promise<ShownSetting | null> {
  return db.maybe(sql`
    select mini_program.tenant_id, mini_program.app_id, true as has_secret,
      mini_program.check_state, mini_program.check_text, mini_program.checked_at,
      (select max(wechat_user.last_seen_at) from mini_program_user wechat_user
        where wechat_user.tenant_id = mini_program.tenant_id
          and wechat_user.app_id = mini_program.app_id) as last_sign_in_at,
      mini_program.push_mode, mini_program.sealed_push_token is not null as has_push_token,
      mini_program.sealed_push_key is not null as has_push_key, mini_program.push_proven_at,
      mini_program.push_seen_at, mini_program.push_trouble, mini_program.push_trouble_at,
      mini_program.edit_version, mini_program.edited_at, mini_program.edited_by
    from mini_program_setting mini_program where mini_program.tenant_id = ${tenantId}`);
}

/** App id of online payments; null while they are off. */
export async function findPaymentAppId(db: Db, tenantId: number): Promise<string | null> {
  const paying = await db.maybe<{ appId: string }>(sql`
    select app_id from payment_setting where tenant_id = ${tenantId} and is_on`);
  return paying?.appId ?? null;
}

export interface SettingRow {
  tenantId: number;
  appId: string;
  sealedSecret: Buffer;
  pushMode: PushMode;
  sealedPushToken: Buffer | null;
  sealedPushKey: Buffer | null;
  editVersion: number;
  editedBy: string;
}

const columns = sql`
  tenant_id, app_id, sealed_secret, push_mode, sealed_push_token, sealed_push_key, edit_version,
  edited_by`;

export function findSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(sql`select ${columns} from mini_program_setting where tenant_id = ${tenantId}`);
}

export function lockSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(
    sql`select ${columns} from mini_program_setting where tenant_id = ${tenantId} for update`,
  );
}

/** Saving resets the check, and a changed push has to be verified by WeChat again. */
export async function writeSetting(
  db: Db,
  setting: Omit<SettingRow, "editVersion">,
  isSamePush: boolean,
): Promise<void> {
  await db.run(sql`
    insert into mini_program_setting as mini_program (tenant_id, app_id, sealed_secret, push_mode,
      sealed_push_token, sealed_push_key, edited_by, check_state)
    values (${setting.tenantId}, ${setting.appId}, ${setting.sealedSecret}, ${setting.pushMode},
      ${setting.sealedPushToken}, ${setting.sealedPushKey}, ${setting.editedBy}, 'PENDING')
    on conflict (tenant_id) do update set app_id = excluded.app_id,
      sealed_secret = excluded.sealed_secret, push_mode = excluded.push_mode,
      sealed_push_token = excluded.sealed_push_token, sealed_push_key = excluded.sealed_push_key,
      push_proven_at = case when ${isSamePush}::boolean then mini_program.push_proven_at end,
      push_seen_at = case when ${isSamePush}::boolean then mini_program.push_seen_at end,
      push_trouble = '', push_trouble_at = null, check_state = 'PENDING', check_text = '',
      checked_at = null, edit_version = mini_program.edit_version + 1, edited_at = now(),
      edited_by = excluded.edited_by`);
}

export function checkedRow(tenantId: number): CheckedRow {
  return { table: sql`mini_program_setting`, where: sql`tenant_id = ${tenantId}` };
}
