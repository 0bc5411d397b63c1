// Text messages: queued in the outbox, listed, resent; their texts are sealed.

import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { SmsMessage, smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import {
  type MessageScenario,
  messageScenarioText,
  signedText,
  smsSegments,
} from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { resendObstacle } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { countReveal, findSmsSign } from "../../organization/tenant-setting/index.ts";
import { sendSoon } from "./sms.queue.ts";
import {
  findSealedSms,
  findSealedSmsOfOrder,
  findSms,
  findSmsOfOrder,
  insertSms,
  lockResendable,
  type NewSms,
  type SmsQuery,
} from "./sms.sql.ts";
import { findSmsChannel } from "./sms-channel.sql.ts";

export interface SmsDraft {
  tenantId: number;
  phone: string;
  scene: MessageScenario;
  text: string;
  orderId?: number;
  /** Carrier's template and variables; null: no template configured for this scene. */
  carrier?: SmsCarrierDraft | null;
}

export interface SmsCarrierDraft {
  templateCode: string;
  /** In placeholder order, since some carriers match by position only. */
  variables: [name: string, value: string][];
}

/** Sealed because a code in it opens a door or an account: it must not be readable in the database. */
export function ownerOf({ tenantId, phone }: { tenantId: number; phone: string }): string {
  return `sms:${tenantId}:${phone}`;
}

type Owner = Parameters<typeof ownerOf>[0];

/** Ciphertext as stored. */
export function sealSmsText(vault: Vault, owner: Owner, text: string): Buffer {
  return vault.seal(text, ownerOf(owner));
}

/** Throws when sealed for another owner or by another installation. */
export function openSmsText(vault: Vault, owner: Owner, sealed: Buffer): string {
  return vault.open(sealed, ownerOf(owner));
}

/** Signature in front of a text; null if none. */
export function signOf(text: string): string | null {
  return /^【([^】]+)】/.exec(text)?.[1] ?? null;
}

/**
 * Queues a message in the caller's transaction, under the tenant's signature, so that it is sent exactly when
 * the transaction commits. Returns its id.
 */
export async function queueSms(
  db: Db,
  { text: unsigned, orderId, carrier, ...message }: SmsDraft,
): Promise<number> {
  const { sign, state } = await wayOut(db, message.tenantId);
  const text = signedText(sign, unsigned);
  const id = await insertSms(db, {
    ...message,
    orderId: orderId ?? null,
    sealedText: sealSmsText(db.vault, message, text),
    sealedCarrier: carrier ? sealSmsText(db.vault, message, JSON.stringify(carrier)) : null,
    templateCode: carrier?.templateCode ?? null,
    segments: smsSegments(text),
    state,
    resendOf: null,
  });
  await publishSmsChange(db, message, state);
  return id;
}

/** Signature of a tenant's messages, and whether a carrier is on. */
async function wayOut(db: Db, tenantId: number): Promise<{ sign: string; state: NewSms["state"] }> {
  const [ownSign, channel] = await Promise.all([findSmsSign(db, tenantId), findSmsChannel(db)]);
  return {
    sign: ownSign || (channel?.sign ?? ""),
    state: channel?.isOn ? "QUEUED" : "OUTBOX",
  };
}

async function publishSmsChange(
  db: Db,
  { tenantId, scene }: Pick<NewSms, "tenantId" | "scene">,
  state: NewSms["state"],
): Promise<void> {
  if (state === "QUEUED") await sendSoon(db, scene);
  await pushLive(db, { tenantId, topic: "sms", cabinetId: null });
}

export async function listSms(ctx: Ctx, query: SmsQuery): Promise<Page<SmsMessage>> {
  requireSpan(query);
  const page = await findSms(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(masked) };
}

const masked = (message: SmsMessage) => ({ ...message, phone: maskPhone(message.phone) });

/** The caller has already checked that the account may see the order. */
export async function listSmsOfOrder(
  db: Db,
  order: { tenantId: number; orderId: number },
): Promise<SmsMessage[]> {
  return (await findSmsOfOrder(db, order)).map(masked);
}

/** Audited with a reason, since a reader of the code could use it. */
export async function showSmsText(
  ctx: Ctx,
  id: number,
  reason: string,
): Promise<{ phone: string; text: string }> {
  const found = await findSealedSms(ctx.db, ctx.session, id);
  const { tenantId, scene, phone, sealedText, orderId } =
    found ?? refuse("NOT_FOUND", { what: "短信" });
  if (sealedText.length === 0) refuse("SMS_FORGOTTEN");
  const target = `${messageScenarioText[scene]}短信（${maskPhone(phone)}）`;
  const reveals = await countReveal(ctx, tenantId);
  ctx.audit({ tenantId, target, reason, after: { smsId: id, orderId, reveals } });
  return { phone, text: openSmsText(ctx.db.vault, { tenantId, phone }, sealedText) };
}

/**
 * Kept texts of the order's messages of this kind, newest first. The caller has checked that the account may read them, and
 * counts and audits what it shows.
 */
export async function readSmsTextsOfOrder(
  db: Db,
  order: { tenantId: number; orderId: number },
  scene: MessageScenario,
): Promise<string[]> {
  const found = await findSealedSmsOfOrder(db, order, scene);
  return found.map((message) => openSmsText(db.vault, message, message.sealedText));
}

/** A new message with the same text, under the tenant's current signature. */
export async function resendSms(
  ctx: Ctx,
  id: number,
  reason: string,
): Promise<Reply<typeof smsContract.resend>> {
  const { db } = ctx;
  const found = await lockResendable(db, ctx.session, id);
  const message = found ?? refuse("NOT_FOUND", { what: "短信" });
  const { tenantId, scene, phone, orderId, sealedCarrier, templateCode } = message;
  const { sign, state } = await wayOut(db, tenantId);
  const why = resendObstacle(message) ?? (state === "OUTBOX" ? "未开通短信通道" : undefined);
  if (why !== undefined) refuse("SMS_NOT_RESENDABLE", { why });
  const unsigned = openSmsText(ctx.db.vault, message, message.sealedText).replace(
    /^【[^】]+】/,
    "",
  );
  const text = signedText(sign, unsigned);
  const newId = await insertSms(db, {
    ...{ tenantId, scene, phone, orderId, sealedCarrier, templateCode, state },
    sealedText: sealSmsText(db.vault, message, text),
    segments: smsSegments(text),
    resendOf: id,
  });
  await publishSmsChange(db, message, state);
  ctx.audit({
    tenantId,
    target: `${messageScenarioText[scene]}短信（${maskPhone(phone)}）`,
    reason,
    before: { smsId: id },
    after: { smsId: newId, orderId },
  });
  return { id: newId, state };
}
