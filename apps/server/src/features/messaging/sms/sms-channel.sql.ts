// SQL for the SMS channel; its secret is stored sealed.
import type { SettingCheckState } from "@cabinet/contract/kit/setting-check.rules.ts";
import type { SmsCarrierName } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import type { SmsChannel } from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { CheckedRow } from "../../../platform/db/setting-check.sql.ts";
import { sql } from "../../../platform/db/sql.ts";

/** The part of the channel that everybody may read. */
export interface SmsChannelSign {
  carrier: SmsCarrierName;
  isOn: boolean;
  /** Signature for tenants without one of their own. */
  sign: string;
}

/** Null until a carrier is first configured. */
export function findSmsChannel(db: Db): Promise<SmsChannelSign | null> {
  return db.maybe(sql`select carrier, is_on, sign from sms_channel`);
}

export function findShownChannel(db: Db): Promise<SmsChannel | null> {
  return db.maybe(sql`
    select channel.carrier, channel.is_on, channel.key_id, true as has_secret, channel.sign,
      channel.app_id, channel.check_state, channel.check_text,
      channel.checked_at, (
        select count(*)::int from sms_message sms
        where sms.due_at is not null and sms.state in ('QUEUED', 'SENDING')) as waiting,
      (select max(sms.sent_at) from sms_message sms
        where sms.sent_at > now() - interval '30 days') as last_sent_at,
      channel.edit_version, channel.edited_at, channel.edited_by
    from sms_channel channel`);
}

export interface ChannelRow {
  carrier: SmsCarrierName;
  isOn: boolean;
  keyId: string;
  sealedSecret: Buffer;
  sign: string;
  appId: string;
  checkState: SettingCheckState;
  editVersion: number;
  editedBy: string;
}

const columns = sql`
  carrier, is_on, key_id, sealed_secret, sign, app_id, check_state, edit_version, edited_by`;

export function findChannel(db: Db): Promise<ChannelRow | null> {
  return db.maybe(sql`select ${columns} from sms_channel`);
}

export function lockChannel(db: Db): Promise<ChannelRow | null> {
  return db.maybe(sql`select ${columns} from sms_channel for update`);
}

/** Saves the channel and resets its check result, which belonged to the old setting. */
export async function writeChannel(
  db: Db,
  channel: Omit<ChannelRow, "checkState" | "editVersion">,
): Promise<void> {
  await db.run(sql`
    insert into sms_channel as channel (carrier, is_on, key_id, sealed_secret, sign, app_id,
      edited_by)
    values (${channel.carrier}, ${channel.isOn}, ${channel.keyId}, ${channel.sealedSecret},
      ${channel.sign}, ${channel.appId}, ${channel.editedBy})
    on conflict (is_only) do update set carrier = excluded.carrier, is_on = excluded.is_on,
      key_id = excluded.key_id, sealed_secret = excluded.sealed_secret, sign = excluded.sign,
      app_id = excluded.app_id, check_state = 'NONE', check_text = '', checked_at = null,
      edit_version = channel.edit_version + 1, edited_at = now(), edited_by = excluded.edited_by`);
}

/** The table has at most one row. */
export const checkedRow: CheckedRow = { table: sql`sms_channel`, where: sql`is_only` };

/**
 * Returns queued messages to the outbox after the carrier was switched off; returns their number.
 */
export function returnToOutbox(db: Db): Promise<number> {
  return db.run(sql`
    update sms_message set state = 'OUTBOX', due_at = null, result_code = 'CHANNEL_OFF'
    where state = 'QUEUED' and due_at is not null`);
}
