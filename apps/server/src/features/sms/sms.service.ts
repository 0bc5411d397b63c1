// Text messages: put into the outbox with what they tell of; their texts are sealed.

import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { SmsMessage } from "@cabinet/contract/sms/sms.contract.ts";
import {
  type SmsScene,
  signedText,
  smsSceneText,
  smsSegments,
} from "@cabinet/contract/sms/sms.rules.ts";
import type { Ctx } from "../../platform/context.ts";
import type { Db } from "../../platform/db.ts";
import { refuse } from "../../platform/errors.ts";
import type { Vault } from "../../platform/secrets.ts";
import { requireSpan } from "../../platform/span.ts";
import { findSmsSign } from "../tenant-setting/index.ts";
import { findSealedSms, findSms, insertSms, type SmsQuery } from "./sms.sql.ts";

export interface SmsDraft {
  tenantId: number;
  phone: string;
  scene: SmsScene;
  text: string;
  orderId?: number;
  /** What a carrier wants instead of the text; null: it has no template for this. */
  carrier?: SmsCarrierDraft | null;
}

export interface SmsCarrierDraft {
  templateCode: string;
  /** In the order of the template's places, which is all that some carriers go by. */
  variables: [name: string, value: string][];
}

/** A code in it opens a door or an account, so nobody reads it in the database. */
function ownerOf({ tenantId, phone }: { tenantId: number; phone: string }): string {
  return `sms:${tenantId}:${phone}`;
}

/** As it is kept; opened by `showSmsText` alone. */
export function sealSmsText(
  vault: Vault,
  owner: { tenantId: number; phone: string },
  text: string,
): Buffer {
  return vault.seal(text, ownerOf(owner));
}

/**
 * In the caller's transaction, under the tenant's sign: it is sent exactly when what it tells of has
 * happened. Returns its id.
 */
export async function queueSms(
  db: Db,
  vault: Vault,
  { text: unsigned, orderId, carrier, ...message }: SmsDraft,
): Promise<number> {
  const text = signedText(await findSmsSign(db, message.tenantId), unsigned);
  return insertSms(db, {
    ...message,
    orderId: orderId ?? null,
    sealedText: sealSmsText(vault, message, text),
    sealedCarrier: carrier ? sealSmsText(vault, message, JSON.stringify(carrier)) : null,
    templateCode: carrier?.templateCode ?? null,
    segments: smsSegments(text),
  });
}

export async function listSms(ctx: Ctx, query: SmsQuery): Promise<Page<SmsMessage>> {
  requireSpan(query);
  const page = await findSms(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map((row) => ({ ...row, phone: maskPhone(row.phone) })) };
}

/** Whoever reads a code could use it, so it is written down who did, and why. */
export async function showSmsText(
  ctx: Ctx,
  vault: Vault,
  id: number,
  reason: string,
): Promise<{ phone: string; text: string }> {
  const found = await findSealedSms(ctx.db, ctx.session, id);
  const { tenantId, scene, phone, sealedText, orderId } =
    found ?? refuse("NOT_FOUND", { what: "短信" });
  if (sealedText.length === 0) refuse("SMS_FORGOTTEN");
  const target = `${smsSceneText[scene]}短信（${maskPhone(phone)}）`;
  ctx.audit({ tenantId, target, reason, after: { smsId: id, orderId } });
  return { phone, text: vault.open(sealedText, ownerOf({ tenantId, phone })) };
}
