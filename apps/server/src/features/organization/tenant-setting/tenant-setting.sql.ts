// SQL for tenant settings; a tenant that saved nothing has the column defaults.
import type { StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import {
  type TenantSetting,
  TenantSettingDraft,
} from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import {
  RETENTION,
  type Retained,
} from "@cabinet/contract/organization/tenant-setting/tenant-setting.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { join, raw, type Sql, sql } from "../../../platform/db/sql.ts";

export type PlainDraft = Omit<Required<TenantSettingDraft>, "mapCode">;

export interface SettingRow
  extends PlainDraft,
    Pick<TenantSetting, "editVersion" | "editedAt" | "editedBy"> {
  sealedMapCode: Buffer | null;
}

/** Stored fields of a tenant, by their names in the contract. */
export const SETTING_FIELDS = Object.keys(TenantSettingDraft.properties).filter(
  (name): name is keyof PlainDraft => name !== "mapCode",
);

function columnOf(name: keyof PlainDraft): string {
  return name === "logoId" ? "logo_file_id" : name.replace(/[A-Z]/g, (l) => `_${l.toLowerCase()}`);
}

const fieldColumns = SETTING_FIELDS.map(columnOf);
const readAs: Record<string, string> = {
  logo_file_id: "logo_file_id as logo_id",
  map_key: "coalesce(map_key, '') as map_key",
};
const columns = sql`
  ${raw(fieldColumns.map((column) => readAs[column] ?? column).join(", "))}, sealed_map_code,
  edit_version, edited_at, edited_by`;

export function findSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(sql`select ${columns} from tenant_setting where tenant_id = ${tenantId}`);
}

/** Time before which data of this kind is due for removal in the tenant of the column. */
export function dueBeforeSql(kind: Retained, tenantId: Sql): Sql {
  return sql`now() - make_interval(days => coalesce((
    select setting.${raw(columnOf(kind))} from tenant_setting setting
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

export async function writeSetting(db: Db, setting: NewSetting): Promise<void> {
  const { tenantId, sealedMapCode, editedBy } = setting;
  const stored = { ...setting, mapKey: setting.mapKey || null };
  const values = SETTING_FIELDS.map((name) => stored[name]);
  const written = raw([...fieldColumns, "sealed_map_code", "edited_by"].join(", "));
  const excluded = raw(
    [...fieldColumns, "sealed_map_code", "edited_by"].map((name) => `excluded.${name}`).join(", "),
  );
  await db.run(sql`
    insert into tenant_setting as setting (tenant_id, ${written})
    values (${tenantId}, ${join(values)}, ${sealedMapCode}, ${editedBy})
    on conflict (tenant_id) do update set (${written}, edit_version, edited_at) =
      (${excluded}, setting.edit_version + 1, now())`);
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
