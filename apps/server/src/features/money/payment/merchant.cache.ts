// A tenant's merchant identity at WeChat Pay: the keys of its setting, unsealed only while in use.
import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import type { Database } from "../../../platform/db/db.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { findSetting, type SettingRow } from "./payment-setting.sql.ts";
import type { PlatformCertificates } from "./platform-certificates.cache.ts";
import { type PaymentService, WechatPay } from "./wechat-pay.client.ts";
import type { Merchant } from "./wechat-signature.crypto.ts";

/** Sealing context of each key: a sealed key opens only for its own tenant and purpose. */
export const sealedFor = {
  privateKey: (tenantId: number) => `payment private key ${tenantId}`,
  apiV3Key: (tenantId: number) => `payment APIv3 key ${tenantId}`,
};

export function sealPaymentKeys(
  vault: Vault,
  tenantId: number,
  { privateKey, apiV3Key }: { privateKey: string; apiV3Key: string },
): { privateKey: Buffer; apiV3Key: Buffer } {
  return {
    privateKey: vault.seal(privateKey, sealedFor.privateKey(tenantId)),
    apiV3Key: vault.seal(apiV3Key, sealedFor.apiV3Key(tenantId)),
  };
}

export function merchantOf(vault: Vault, row: SettingRow): Merchant {
  const { appId, mchid, certificateSerial, publicKeyId, tenantId } = row;
  return {
    appId,
    mchid,
    certificateSerial,
    publicKeyId,
    privateKey: createPrivateKey(vault.open(row.sealedPrivateKey, sealedFor.privateKey(tenantId))),
    apiV3Key: vault.open(row.sealedApiV3Key, sealedFor.apiV3Key(tenantId)),
    publicKey: row.publicKey ? createPublicKey(row.publicKey) : null,
  };
}

/** Dependencies for calling WeChat Pay. */
export interface PaymentParts {
  database: Database;
  /** Base URL of the WeChat Pay API. */
  origin: string;
  certificates: PlatformCertificates;
}

export interface OpenPayment {
  setting: SettingRow;
  merchant: Merchant;
  service: PaymentService;
}

/** Null for a tenant without a setting; a disabled setting still settles payments under way. */
export async function openPayment(
  { database, origin, certificates }: PaymentParts,
  tenantId: number,
): Promise<OpenPayment | null> {
  const setting = await database.read({ tenantId }, (db) => findSetting(db, tenantId));
  if (!setting) return null;
  const merchant = merchantOf(database.vault, setting);
  const service = new WechatPay(merchant, origin, certificates.of(setting));
  return { setting, merchant, service };
}

export interface CertificateFacts {
  serial: string;
  expiresAt: string;
}

/** Facts of a certificate and whether it matches the key; an error text if it is unusable. */
export function readCertificate(pem: string, privateKey: string): CertificateFacts | string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    return "商户 API 证书无法识别：请粘贴 apiclient_cert.pem 的全部内容";
  }
  try {
    if (!certificate.checkPrivateKey(createPrivateKey(privateKey))) {
      return "商户 API 证书与私钥不是一对：请确认 apiclient_cert.pem 与 apiclient_key.pem 来自同一次申请";
    }
  } catch {
    return "商户 API 私钥无法识别：请粘贴 apiclient_key.pem 的全部内容";
  }
  const expiresAt = new Date(certificate.validTo);
  if (expiresAt.getTime() < Date.now()) return "商户 API 证书已过期：请在商户平台重新申请";
  return { serial: certificate.serialNumber, expiresAt: expiresAt.toISOString() };
}

export function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
