// SQL for the web pages of tenants: the switch, what a visitor sees before sign-in, and the stickers.
import type { StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import type {
  Sticker,
  WebPageSetting,
} from "@cabinet/contract/orders/web-page/web-page.contract.ts";
import { MAX_STICKERS } from "@cabinet/contract/orders/web-page/web-page.rules.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { and, sql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";

type SettingRow = Omit<WebPageSetting, "tenantId" | "tenantName" | "tenantCode">;

/** Null: never saved, which is off. */
export function findSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(sql`
    select is_on, edit_version, edited_at, edited_by from web_page_setting
    where tenant_id = ${tenantId}`);
}

/** Current setting under an advisory lock, which also serializes two first saves. */
export async function lockSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('web page setting'), ${tenantId})`);
  return findSetting(db, tenantId);
}

export async function writeSetting(
  db: Db,
  { tenantId, isOn, editedBy }: { tenantId: number; isOn: boolean; editedBy: string },
): Promise<void> {
  await db.run(sql`
    insert into web_page_setting as web_page (tenant_id, is_on, edited_by)
    values (${tenantId}, ${isOn}, ${editedBy})
    on conflict (tenant_id) do update set is_on = excluded.is_on,
      edit_version = web_page.edit_version + 1, edited_at = now(), edited_by = excluded.edited_by`);
}

export interface WebPage {
  tenantId: number;
  tenantName: string;
  /** The tenant is neither suspended nor expired. */
  isTenantOpen: boolean;
  isOn: boolean;
  /** The page was on when links still carried the bare number of the tenant. */
  hasBareLinks: boolean;
  logoId: string | null;
  servicePhone: string;
}

/** Null for a deleted tenant. */
export function findWebPage(db: Db, tenantId: number): Promise<WebPage | null> {
  return db.maybe(sql`
    select tenant.id as tenant_id, tenant.name as tenant_name,
      tenant_is_open(tenant) as is_tenant_open, coalesce(web_page.is_on, false) as is_on,
      coalesce(web_page.has_bare_links, false) as has_bare_links, setting.logo_file_id as logo_id, coalesce(setting.service_phone, '') as service_phone
    from tenant
    left join web_page_setting web_page on web_page.tenant_id = tenant.id
    left join tenant_setting setting on setting.tenant_id = tenant.id
    where tenant.id = ${tenantId} and tenant.state <> 'DELETED'`);
}

/** Present logo of a tenant whose web page is on: the only logos that need no session. */
export function findPublicLogo(db: Db, fileId: string): Promise<StoredFile | null> {
  return db.maybe(sql`
    select file.storage_key as key, file.media_type, file.size_bytes, file.sha256
    from file
    join tenant_setting setting on setting.tenant_id = file.tenant_id
      and setting.logo_file_id = file.id
    join web_page_setting web_page on web_page.tenant_id = file.tenant_id and web_page.is_on
    join tenant on tenant.id = file.tenant_id and tenant.state <> 'DELETED'
    where file.id = ${fileId} and file.purpose = 'LOGO'`);
}

/** Cabinets in use that the account sees, by store and name. */
export async function findStickers(
  db: Db,
  session: Session,
  { tenantId, storeId }: { tenantId: number; storeId?: number },
): Promise<{ list: Sticker[]; total: number }> {
  const matched = sql`
    from cabinet
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    where ${and(
      storePredicate(session, sql`cabinet.tenant_id`, sql`cabinet.store_id`, tenantId),
      sql`cabinet.lifecycle in ('ACTIVE', 'PAUSED')`,
      storeId && sql`cabinet.store_id = ${storeId}`,
    )}`;
  const [list, { total }] = await Promise.all([
    db.many<Sticker>(sql`
      select cabinet.id as cabinet_id, cabinet.sn, cabinet.name, store.name as store_name
      ${matched} order by store.name nulls last, cabinet.name, cabinet.id limit ${MAX_STICKERS}`),
    db.one<{ total: number }>(sql`select count(*)::int as total ${matched}`),
  ]);
  return { list, total };
}
