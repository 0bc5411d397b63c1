// WeChat Pay settings in SQL; keys are stored sealed.
import type { SettingCheckState } from "@cabinet/contract/kit/setting-check.rules.ts";
import type { PaymentSetting } from "@cabinet/contract/money/payment/payment.contract.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { CheckedRow } from "../../../platform/db/setting-check.sql.ts";
import { sql } from "../../../platform/db/sql.ts";

type ShownSetting = Omit<PaymentSetting, "tenantName" | "noticeUrl">;

/** The setting without its secrets. */
export function findShownSetting(db: Db, tenantId: number): Promise<ShownSetting | null> {
  return db.maybe(sql`
    select payment_setting.tenant_id, payment_setting.is_on, payment_setting.app_id,
      payment_setting.mchid, payment_setting.certificate_serial,
      payment_setting.certificate_expires_at, true as has_private_key, true as has_api_v3_key,
      payment_setting.public_key_id, payment_setting.public_key, payment_setting.notice_origin,
      payment_setting.check_state, payment_setting.check_text, payment_setting.checked_at,
      (select max(payment_notice.seen_at) from payment_notice
        where payment_notice.tenant_id = payment_setting.tenant_id)
        as last_notice_at,
      payment_setting.edit_version, payment_setting.edited_at, payment_setting.edited_by
    from payment_setting where payment_setting.tenant_id = ${tenantId}`);
}

export interface SettingRow {
  tenantId: number;
  isOn: boolean;
  appId: string;
  mchid: string;
  certificateSerial: string;
  certificateExpiresAt: string;
  sealedPrivateKey: Buffer;
  sealedApiV3Key: Buffer;
  publicKeyId: string;
  publicKey: string;
  noticeOrigin: string;
  checkState: SettingCheckState;
  editVersion: number;
  editedBy: string;
}

const columns = sql`
  tenant_id, is_on, app_id, mchid, certificate_serial, certificate_expires_at, sealed_private_key,
  sealed_api_v3_key, public_key_id, public_key, notice_origin, check_state, edit_version,
  edited_by`;

export function findSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(sql`select ${columns} from payment_setting where tenant_id = ${tenantId}`);
}

export function lockSetting(db: Db, tenantId: number): Promise<SettingRow | null> {
  return db.maybe(
    sql`select ${columns} from payment_setting where tenant_id = ${tenantId} for update`,
  );
}

/** Number of payments and refunds that WeChat accepted and that may still change state. */
export async function countUnderWay(db: Db, tenantId: number): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select (select count(*) from top_up
        where tenant_id = ${tenantId} and state = 'CREATED' and (prepay_id is not null or pay_url is not null)
          and expires_at > now() - interval '1 day')::int
      + (select count(*) from top_up_refund
        where tenant_id = ${tenantId} and state = 'PROCESSING'
          and created_at > now() - interval '7 days')::int as n`);
  return n;
}

/** Saving resets the result of the last check. */
export async function writeSetting(
  db: Db,
  setting: Omit<SettingRow, "checkState" | "editVersion">,
): Promise<void> {
  await db.run(sql`
    insert into payment_setting (tenant_id, is_on, app_id, mchid, certificate_serial,
      certificate_expires_at, sealed_private_key, sealed_api_v3_key, public_key_id, public_key,
      notice_origin, edited_by)
    values (${setting.tenantId}, ${setting.isOn}, ${setting.appId}, ${setting.mchid},
      ${setting.certificateSerial}, ${setting.certificateExpiresAt}, ${setting.sealedPrivateKey},
      ${setting.sealedApiV3Key}, ${setting.publicKeyId}, ${setting.publicKey},
      ${setting.noticeOrigin}, ${setting.editedBy})
    on conflict (tenant_id) do update set is_on = excluded.is_on, app_id = excluded.app_id,
      mchid = excluded.mchid, certificate_serial = excluded.certificate_serial,
      certificate_expires_at = excluded.certificate_expires_at,
      sealed_private_key = excluded.sealed_private_key,
      sealed_api_v3_key = excluded.sealed_api_v3_key, public_key_id = excluded.public_key_id,
      public_key = excluded.public_key, notice_origin = excluded.notice_origin,
      check_state = 'NONE', check_text = '', checked_at = null,
      certificate_told = case when payment_setting.certificate_serial = excluded.certificate_serial
        then payment_setting.certificate_told end,
      edit_version = payment_setting.edit_version + 1, edited_at = now(),
      edited_by = excluded.edited_by`);
}

export interface EndingCertificate {
  tenantId: number;
  mchid: string;
  expiresOn: string;
  daysLeft: number;
  /** Days-left step of the last notification; null if none was sent. */
  lastStep: number | null;
}

const certificateColumns = sql`
  tenant_id, mchid, certificate_told as last_step,
  (certificate_expires_at at time zone 'Asia/Shanghai')::date::text as expires_on,
  floor(extract(epoch from certificate_expires_at - now()) / 86400)::int as days_left`;

/** Expiring certificates of tenants with online top-up enabled. */
export function findEndingCertificates(db: Db, days: number): Promise<EndingCertificate[]> {
  return db.many(sql`
    select ${certificateColumns} from payment_setting
    where is_on and certificate_expires_at < now() + make_interval(days => ${days + 1})
    order by tenant_id`);
}

/**
 * Null if online top-up was switched off meanwhile or another worker holds the row (SKIP LOCKED).
 */
export function lockCertificate(db: Db, tenantId: number): Promise<EndingCertificate | null> {
  return db.maybe(sql`
    select ${certificateColumns} from payment_setting
    where tenant_id = ${tenantId} and is_on for update skip locked`);
}

export async function writeCertificateNotified(
  db: Db,
  tenantId: number,
  step: number,
): Promise<void> {
  await db.run(sql`
    update payment_setting set certificate_told = ${step} where tenant_id = ${tenantId}`);
}

export function checkedRow(tenantId: number): CheckedRow {
  return { table: sql`payment_setting`, where: sql`tenant_id = ${tenantId}` };
}

export async function writeNotice(
  db: Db,
  notice: { tenantId: number; noticeId: string; eventType: string; subject: string },
): Promise<void> {
  await db.run(sql`
    insert into payment_notice (tenant_id, notice_id, event_type, subject)
    values (${notice.tenantId}, ${notice.noticeId}, ${notice.eventType}, ${notice.subject})
    on conflict (tenant_id, notice_id) do update
    set times = payment_notice.times + 1, seen_at = now()`);
}
