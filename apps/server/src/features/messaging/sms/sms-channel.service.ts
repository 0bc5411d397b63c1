// 短信通道: the installation's SMS carrier, and whether it accepts our credentials.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { smsCarrierText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import type {
  SmsChannel,
  smsChannelContract,
} from "@cabinet/contract/messaging/sms/sms-channel.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Database } from "../../../platform/db/db.ts";
import { markChecking, writeCheck } from "../../../platform/db/setting-check.sql.ts";
import { refuse, requireUnedited } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { AliyunSms } from "./aliyun.client.ts";
import type { SmsCarrier, SmsUrls } from "./carrier.port.ts";
import { checkChannelSoon, sendAllSoon } from "./sms.queue.ts";
import * as repo from "./sms-channel.sql.ts";
import { TencentSms } from "./tencent.client.ts";

export const SECRET_OWNER = "sms channel secret";

export function sealChannelSecret(vault: Vault, secret: string): Buffer {
  return vault.seal(secret, SECRET_OWNER);
}

const nothingSet: SmsChannel = {
  carrier: "ALIYUN",
  isOn: false,
  keyId: "",
  hasSecret: false,
  sign: "",
  appId: "",
  checkState: "NONE",
  checkText: "",
  checkedAt: null,
  waiting: 0,
  lastSentAt: null,
  editVersion: 0,
  editedAt: null,
  editedBy: "",
};

export async function getChannel(ctx: Ctx): Promise<SmsChannel> {
  return (await repo.findShownChannel(ctx.db)) ?? nothingSet;
}

type Draft = Input<typeof smsChannelContract.saveChannel>["body"];

/** A change of carrier or key id requires the secret. */
export async function saveChannel(ctx: Ctx, draft: Draft): Promise<null> {
  const { carrier, keyId, sign, appId, isOn, secret } = draft;
  const before = await repo.lockChannel(ctx.db);
  requireUnedited(before, draft.editVersion);
  const isSameKey = before?.carrier === carrier && before.keyId === keyId;
  if (!secret && !isSameKey) {
    refuse(before ? "SMS_KEY_OF_OTHER_CHANNEL" : "SMS_KEY_MISSING");
  }
  if (carrier === "TENCENT" && appId === "") refuse("SMS_APP_ID_MISSING");
  const shown = { carrier, keyId, sign, appId: carrier === "TENCENT" ? appId : "", isOn };
  await repo.writeChannel(ctx.db, {
    ...shown,
    sealedSecret: secret ? sealChannelSecret(ctx.db.vault, secret) : keptSecret(before),
    editedBy: ctx.session.signature,
  });
  if (!isOn) await repo.returnToOutbox(ctx.db);
  ctx.audit({
    target: `短信通道 ${smsCarrierText[carrier]}`,
    before: before && traceOf(before),
    after: { ...shown, ...(secret && { secret: "已更换" }) },
  });
  await askCarrier(ctx);
  if (isOn) await sendAllSoon(ctx.db);
  return null;
}

function keptSecret(before: repo.ChannelRow | null): Buffer {
  return before?.sealedSecret ?? refuse("SMS_KEY_LOST");
}

function traceOf({ carrier, keyId, sign, appId, isOn }: repo.ChannelRow) {
  return { carrier, keyId, sign, appId, isOn };
}

export async function askToCheck(ctx: Ctx): Promise<null> {
  const channel = (await repo.lockChannel(ctx.db)) ?? refuse("SMS_CHANNEL_NOT_SET");
  ctx.audit({ target: `短信通道 ${smsCarrierText[channel.carrier]}` });
  await askCarrier(ctx);
  return null;
}

async function askCarrier(ctx: Ctx): Promise<void> {
  await markChecking(ctx.db, repo.checkedRow);
  await checkChannelSoon(ctx.db);
  await pushLive(ctx.db, { tenantId: null, topic: "sms", cabinetId: null });
}

export interface OpenChannel {
  row: repo.ChannelRow;
  carrier: SmsCarrier;
}

/** Client of the configured carrier, cached until the setting changes. */
export class SmsChannels {
  readonly #urls: SmsUrls;
  #opened: OpenChannel | null = null;

  constructor(urls: SmsUrls) {
    this.#urls = urls;
  }

  /** Null when none is configured; one that is switched off still answers for messages it took. */
  async open(database: Database): Promise<OpenChannel | null> {
    const row = await database.read("platform", repo.findChannel);
    if (!row) return null;
    if (this.#opened?.row.editVersion === row.editVersion) return { ...this.#opened, row };
    const { keyId, appId } = row;
    const account = { keyId, appId, secret: database.vault.open(row.sealedSecret, SECRET_OWNER) };
    const carrier = {
      ALIYUN: new AliyunSms(account, this.#urls.aliyunSmsUrl),
      TENCENT: new TencentSms(account, this.#urls.tencentSmsUrl),
    }[row.carrier];
    this.#opened = { row, carrier };
    return this.#opened;
  }
}

/** Verifies the credentials and the signature with the carrier. */
export async function checkChannel(database: Database, channels: SmsChannels): Promise<void> {
  const opened = await channels.open(database);
  if (!opened) return;
  const { row, carrier } = opened;
  const proof = await carrier.prove(row.sign);
  await database.transaction("platform", async (db) => {
    await writeCheck(db, repo.checkedRow, { ...proof, editVersion: row.editVersion });
    await pushLive(db, { tenantId: null, topic: "sms", cabinetId: null });
  });
}
