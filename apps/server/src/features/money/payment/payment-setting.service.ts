// 支付配置: the merchant account that a tenant configures, and the check whether WeChat Pay accepts it.
import { randomBytes } from "node:crypto";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type {
  PaymentSetting,
  paymentContract,
} from "@cabinet/contract/money/payment/payment.contract.ts";
import { noticeUrl } from "@cabinet/contract/money/payment/payment.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { markChecking, writeCheck } from "../../../platform/db/setting-check.sql.ts";
import { invalid, refuse, requireUnedited } from "../../../platform/errors.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import {
  isPublicKey,
  openPayment,
  type PaymentParts,
  readCertificate,
  sealedFor,
} from "./merchant.cache.ts";
import { checkSettingSoon } from "./payment.queue.ts";
import * as repo from "./payment-setting.sql.ts";
import { type PaymentService, UnprovenAnswer, WechatPayRefusal } from "./wechat-pay.client.ts";

export async function getSetting(ctx: Ctx, tenantId?: number): Promise<PaymentSetting> {
  const tenant = await requireTenant(ctx, tenantId);
  const setting = await repo.findShownSetting(ctx.db, tenant.id);
  if (!setting) return { ...nothingSet, tenantId: tenant.id, tenantName: tenant.name };
  const url = noticeUrl(setting.noticeOrigin, tenant.id);
  return { ...setting, tenantName: tenant.name, noticeUrl: url };
}

const nothingSet: Omit<PaymentSetting, "tenantId" | "tenantName"> = {
  isOn: false,
  appId: "",
  mchid: "",
  certificateSerial: "",
  certificateExpiresAt: null,
  hasPrivateKey: false,
  hasApiV3Key: false,
  publicKeyId: "",
  publicKey: "",
  noticeOrigin: "",
  noticeUrl: "",
  checkState: "NONE",
  checkText: "",
  checkedAt: null,
  lastNoticeAt: null,
  editVersion: 0,
  editedAt: null,
  editedBy: "",
};

type Draft = Input<typeof paymentContract.saveSetting>["body"];

/** Omitted fields keep their value; a certificate and its private key are replaced together. */
export async function saveSetting(ctx: Ctx, draft: Draft): Promise<null> {
  requireAllStores(ctx, "支付配置");
  const tenant = await requireTenant(ctx, draft.tenantId);
  const before = await repo.lockSetting(ctx.db, tenant.id);
  requireUnedited(before, draft.editVersion);
  const keys = keysOf(ctx.db.vault, tenant.id, draft, before);
  const publicKey = draft.publicKey.trim();
  if ((draft.publicKeyId === "") !== (publicKey === "")) refuse("PAYMENT_PUBLIC_KEY_INCOMPLETE");
  if (publicKey && !isPublicKey(publicKey)) refuse("PAYMENT_PUBLIC_KEY_INVALID");
  const { appId, mchid, publicKeyId, noticeOrigin, isOn } = draft;
  if (before && before.mchid !== mchid) {
    // Only the merchant that took the payments can report their outcome.
    const count = await repo.countUnderWay(ctx.db, tenant.id);
    if (count > 0) refuse("MERCHANT_BUSY", { count });
  }
  const shown = { appId, mchid, publicKeyId, noticeOrigin, isOn };
  await repo.writeSetting(ctx.db, {
    ...shown,
    ...keys,
    tenantId: tenant.id,
    publicKey: publicKey && `${publicKey}\n`,
    editedBy: ctx.session.signature,
  });
  ctx.audit({
    tenantId: tenant.id,
    target: `支付配置 ${tenant.name}`,
    before: before && traceOf(before),
    after: {
      ...shown,
      certificateSerial: keys.certificateSerial,
      ...(draft.privateKey && { privateKey: "已更换" }),
      ...(draft.apiV3Key && { apiV3Key: "已更换" }),
    },
  });
  await markChecking(ctx.db, repo.checkedRow(tenant.id));
  await checkSettingSoon(ctx.db, tenant.id);
  return null;
}

function traceOf({ appId, mchid, publicKeyId, noticeOrigin, isOn, ...row }: repo.SettingRow) {
  return {
    ...{ appId, mchid, publicKeyId, noticeOrigin, isOn },
    certificateSerial: row.certificateSerial,
  };
}

function keysOf(vault: Vault, tenantId: number, draft: Draft, before: repo.SettingRow | null) {
  const { certificate, privateKey, apiV3Key } = draft;
  if ((certificate === undefined) !== (privateKey === undefined)) {
    refuse("PAYMENT_CERTIFICATE_INCOMPLETE");
  }
  if (!before && (!certificate || !apiV3Key)) {
    refuse("PAYMENT_KEYS_MISSING");
  }
  const facts =
    certificate && privateKey ? readCertificate(certificate.trim(), privateKey.trim()) : null;
  if (typeof facts === "string") return invalid(facts);
  const seal = (key: string, owner: string) => vault.seal(key.trim(), owner);
  const kept = (column: Buffer | undefined) => column ?? refuse("PAYMENT_KEYS_LOST");
  return {
    certificateSerial: facts?.serial ?? before?.certificateSerial ?? "",
    certificateExpiresAt: facts?.expiresAt ?? before?.certificateExpiresAt ?? "",
    sealedPrivateKey: privateKey
      ? seal(privateKey, sealedFor.privateKey(tenantId))
      : kept(before?.sealedPrivateKey),
    sealedApiV3Key: apiV3Key
      ? seal(apiV3Key, sealedFor.apiV3Key(tenantId))
      : kept(before?.sealedApiV3Key),
  };
}

export async function askToCheck(ctx: Ctx, tenantId?: number): Promise<null> {
  const tenant = await requireTenant(ctx, tenantId);
  const setting = await repo.lockSetting(ctx.db, tenant.id);
  if (!setting) refuse("PAYMENT_NOT_SET");
  ctx.audit({ tenantId: tenant.id, target: `支付配置 ${tenant.name}` });
  await markChecking(ctx.db, repo.checkedRow(tenant.id));
  await checkSettingSoon(ctx.db, tenant.id);
  return null;
}

/** App id of the mini-program for online top-up; null if the tenant has none enabled. */
export async function topUpAppId(db: Ctx["db"], tenantId: number): Promise<string | null> {
  const setting = await repo.findSetting(db, tenantId);
  return setting?.isOn ? setting.appId : null;
}

/**
 * Queries a payment that cannot exist: WeChat Pay answers "no such order" only to a merchant it
 * knows and whose signature is valid.
 */
export async function checkSetting(parts: PaymentParts, tenantId: number): Promise<void> {
  const opened = await openPayment(parts, tenantId);
  if (!opened) return;
  const { setting, service } = opened;
  const outcome = await outcomeOf(service, setting.publicKeyId ? "微信支付公钥" : "平台证书");
  await parts.database.transaction({ tenantId }, (db) =>
    writeCheck(db, repo.checkedRow(tenantId), { ...outcome, editVersion: setting.editVersion }),
  );
}

async function outcomeOf(
  service: PaymentService,
  theirKey: string,
): Promise<{ isOk: boolean; text: string }> {
  try {
    await service.findTrade(`CHECK${randomBytes(10).toString("hex")}`);
    const proof = await service.provesApiV3Key();
    if (proof === false) {
      return { isOk: false, text: "APIv3 密钥不正确：请核对商户平台中设置的 32 位密钥" };
    }
    const rest =
      proof === null ? "APIv3 密钥要到收到第一笔支付通知时才能验证。" : "APIv3 密钥已验证。";
    return { isOk: true, text: `商户号、证书、私钥与${theirKey}均已通过。${rest}` };
  } catch (error) {
    return { isOk: false, text: troubleText(error) };
  }
}

/** Error text for the person who can fix the cause. */
export function troubleText(error: unknown): string {
  if (error instanceof WechatPayRefusal) {
    if (error.status === 401) {
      return `微信支付不认可请求的签名：请核对商户号、商户 API 证书与私钥。${error.message}`;
    }
    return `微信支付拒绝了请求：${error.message}`;
  }
  if (error instanceof UnprovenAnswer) return error.message;
  const { name } = error as Error;
  return name === "TimeoutError"
    ? "微信支付没有在 8 秒内应答：请检查服务器能否访问外网"
    : "连接不上微信支付：请检查服务器能否访问外网";
}
