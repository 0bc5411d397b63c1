// Mini-programs and merchant accounts of the demo: fictitious values, so no check of them can succeed.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { sealMiniProgram } from "../../features/messaging/mini-program/index.ts";
import { sealPaymentKeys } from "../../features/money/payment/index.ts";
import type { Db } from "../../platform/db/db.ts";
import { findPublishingTenants } from "../partners/webhook.sql.ts";
import { insertRows } from "../rows.sql.ts";

const DAY_MS = 86_400_000;

/** Indexed by company. */
const accounts = [
  { appId: "wx5f1c0ae27d94b368", mchid: "1629550321", host: "hemu.example.com", pushMode: "SAFE" },
  {
    appId: "wx9b07d3e64a18c25f",
    mchid: "1631804476",
    host: "jiaolan.example.com",
    pushMode: "OFF",
  },
] as const;

const hex = (sealed: Buffer | null) => sealed && `\\x${sealed.toString("hex")}`;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

function rsaKeys(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

/** Inserts settings marked as never checked: the demo does not call WeChat by itself. */
export async function insertWechatSettings(db: Db): Promise<void> {
  // One pair for all: making another takes a quarter of a second.
  const { publicKey, privateKey } = rsaKeys();
  const companies = (await findPublishingTenants(db)).flatMap(({ tenantId, name }, nth) => {
    const account = accounts[nth];
    const common = { tenant_id: tenantId, edited_at: daysFromNow(-132), edited_by: name };
    return account ? [{ ...account, tenantId, common }] : [];
  });
  await insertRows(
    db,
    "mini_program_setting",
    companies.map(({ tenantId, appId, pushMode, common }) => {
      const isPushed = pushMode !== "OFF";
      const sealed = sealMiniProgram(db.vault, tenantId, {
        secret: randomBytes(16).toString("hex"),
        ...(isPushed && { pushToken: randomBytes(16).toString("hex") }),
        ...(isPushed && { pushKey: randomBytes(22).toString("hex").slice(0, 43) }),
      });
      return {
        ...common,
        ...{ app_id: appId, push_mode: pushMode, sealed_secret: hex(sealed.secret) },
        ...{ sealed_push_token: hex(sealed.pushToken), sealed_push_key: hex(sealed.pushKey) },
        ...{ check_state: "NONE", check_text: "", push_trouble: "", edit_version: 1 },
      };
    }),
  );
  await insertRows(
    db,
    "payment_setting",
    companies.map(({ tenantId, appId, mchid, host, common }) => {
      const keys = { privateKey, apiV3Key: randomBytes(16).toString("hex") };
      const sealed = sealPaymentKeys(db.vault, tenantId, keys);
      return {
        ...common,
        ...{ is_on: true, app_id: appId, mchid, notice_origin: `https://${host}` },
        certificate_serial: randomBytes(20).toString("hex").toUpperCase(),
        certificate_expires_at: daysFromNow(1_693),
        sealed_private_key: hex(sealed.privateKey),
        sealed_api_v3_key: hex(sealed.apiV3Key),
        ...{ public_key_id: `PUB_KEY_ID_0${mchid}2026071200381900`, public_key: publicKey },
        ...{ check_state: "NONE", check_text: "", edit_version: 1 },
      };
    }),
  );
}
