// SQL for tenant settings; a tenant that saved nothing has the column defaults.
import type { StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import type {
  TenantSetting,
  TenantSettingDraft,
} from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import {
  RETENTION,
  type Retained,
} from "@cabinet/contract/organization/tenant-setting/tenant-setting.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

export type PlainDraft = Omit<Required<TenantSettingDraft>, "mapCode">;

export interface SettingRow
  extends PlainDraft,
    Pick<TenantSetting, "editVersion" | "editedAt" | "editedBy"> {
  sealedMapCode: Buffer | null;
}

const columns = sql`
  is_hint, tells_overdue, service_phone, opening_hours, sms_sign, reveals_per_day, codes_per_hour,
  admins_need_factor, refund_proof_fen, review_fen, proof_minutes, shares_people, keep_people_days, keep_messages_days, keep_photos_days,
  keep_logs_days, keep_events_days, keep_commands_days, keep_audit_days, logo_file_id as logo_id,
  coalesce(map_key, '') as map_key, sealed_map_code, edit_version, edited_at, edited_by`;

export function findSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(sql`select ${columns} from tenant_setting where tenant_id = ${tenantId}`);
}

const retentionColumns: Record<Retained, Sql> = {
  keepPeopleDays: sql`setting.keep_people_days`,
  keepMessagesDays: sql`setting.keep_messages_days`,
  keepPhotosDays: sql`setting.keep_photos_days`,
  keepLogsDays: sql`setting.keep_logs_days`,
  keepEventsDays: sql`setting.keep_events_days`,
  keepCommandsDays: sql`setting.keep_commands_days`,
  keepAuditDays: sql`setting.keep_audit_days`,
};

/** Time before which data of this kind is due for removal in the tenant of the column. */
export function dueBeforeSql(kind: Retained, tenantId: Sql): Sql {
  return sql`now() - make_interval(days => coalesce((
    select ${retentionColumns[kind]} from tenant_setting setting
    where setting.tenant_id = ${tenantId}), ${RETENTION[kind].usual}::int))`;
}

/** Current setting under an advisory lock, which also serializes two first saves. */
export async function lockSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('tenant setting'), ${tenantId})`);
  return findSetting(db, tenantId);
}

export interface NewSetting extends PlainDraft {
  tenantId: number;
  sealedMapCode: Buffer | null;
  editedBy: string;
}

export async function writeSetting(db: Db, v: NewSetting): Promise<void> {
  await db.run(sql`
    insert into tenant_setting as setting (tenant_id, is_hint, tells_overdue, service_phone,
      opening_hours, sms_sign, reveals_per_day, codes_per_hour, admins_need_factor, refund_proof_fen,
      review_fen, proof_minutes, shares_people, keep_people_days, keep_messages_days,
      keep_photos_days, keep_logs_days, keep_events_days, keep_commands_days, keep_audit_days, logo_file_id, map_key, sealed_map_code, edited_by)
    values (${v.tenantId}, ${v.isHint}, ${v.tellsOverdue}, ${v.servicePhone}, ${v.openingHours},
      ${v.smsSign}, ${v.revealsPerDay}, ${v.codesPerHour}, ${v.adminsNeedFactor}, ${v.refundProofFen},
      ${v.reviewFen}, ${v.proofMinutes}, ${v.sharesPeople}, ${v.keepPeopleDays}, ${v.keepMessagesDays},
      ${v.keepPhotosDays}, ${v.keepLogsDays}, ${v.keepEventsDays}, ${v.keepCommandsDays}, ${v.keepAuditDays}, ${v.logoId}, ${v.mapKey || null}, ${v.sealedMapCode}, ${v.editedBy})
    on conflict (tenant_id) do update set is_hint = excluded.is_hint,
      tells_overdue = excluded.tells_overdue, service_phone = excluded.service_phone,
      opening_hours = excluded.opening_hours, sms_sign = excluded.sms_sign,
      reveals_per_day = excluded.reveals_per_day, codes_per_hour = excluded.codes_per_hour,
      admins_need_factor = excluded.admins_need_factor,
      refund_proof_fen = excluded.refund_proof_fen, review_fen = excluded.review_fen, proof_minutes = excluded.proof_minutes,
      shares_people = excluded.shares_people,
      keep_people_days = excluded.keep_people_days,
      keep_messages_days = excluded.keep_messages_days, keep_photos_days = excluded.keep_photos_days,
      keep_logs_days = excluded.keep_logs_days,
      keep_events_days = excluded.keep_events_days,
      keep_commands_days = excluded.keep_commands_days, keep_audit_days = excluded.keep_audit_days,
      logo_file_id = excluded.logo_file_id, map_key = excluded.map_key,
      sealed_map_code = excluded.sealed_map_code, edit_version = setting.edit_version + 1,
      edited_at = now(), edited_by = excluded.edited_by`);
}

/** A logo, readable by every account of its tenant. */
export function findLogoFile(db: Db, session: Session, fileId: string): Promise<StoredFile | null> {
  return db.maybe(sql`
    select storage_key as key, media_type, size_bytes, sha256
    from file
    where id = ${fileId} and purpose = 'LOGO'
      and ${tenantPredicate(session, sql`file.tenant_id`)}`);
}

/** True when any active tenant has its own map key. */
export async function hasOwnMapKeys(db: Db): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from tenant_setting setting join tenant on tenant.id = setting.tenant_id
    where setting.map_key is not null and tenant.state = 'ACTIVE' limit 1`);
  return found !== null;
}
