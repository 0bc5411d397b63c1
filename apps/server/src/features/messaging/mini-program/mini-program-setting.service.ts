// 小程序配置: the mini-program that a tenant configures, and the check whether WeChat accepts it.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type {
  MiniProgramSetting,
  miniProgramContract,
} from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import { isSealedMode } from "@cabinet/contract/messaging/mini-program/mini-program.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Database } from "../../../platform/db/db.ts";
import { markChecking, writeCheck } from "../../../platform/db/setting-check.sql.ts";
import { refuse, requireUnedited } from "../../../platform/errors.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { checkSettingSoon } from "./mini-program.queue.ts";
import * as repo from "./mini-program-setting.sql.ts";
import {
  type MiniPrograms,
  type OpenMiniProgram,
  pushKeySealedFor,
  pushTokenSealedFor,
  sealedFor,
} from "./mini-programs.cache.ts";
import { WechatRefusal } from "./wechat-refusal.labels.ts";

export async function getSetting(ctx: Ctx, asked?: number): Promise<MiniProgramSetting> {
  const { id: tenantId, name: tenantName } = await requireTenant(ctx, asked);
  const [setting, paymentAppId] = await Promise.all([
    repo.findShownSetting(ctx.db, tenantId),
    repo.findPaymentAppId(ctx.db, tenantId),
  ]);
  return { ...(setting ?? nothingSet), tenantId, tenantName, paymentAppId };
}

const nothingSet = {
  appId: "",
  hasSecret: false,
  checkState: "NONE",
  checkText: "",
  checkedAt: null,
  lastSignInAt: null,
  pushMode: "OFF",
  hasPushToken: false,
  hasPushKey: false,
  pushProvenAt: null,
  pushSeenAt: null,
  pushTrouble: "",
  pushTroubleAt: null,
  editVersion: 0,
  editedAt: null,
  editedBy: "",
} as const;

type Draft = Input<typeof miniProgramContract.saveSetting>["body"];

/** An omitted secret keeps its value; the AppSecret belongs to one AppID. */
export async function saveSetting(ctx: Ctx, draft: Draft): Promise<null> {
  requireAllStores(ctx, "小程序配置");
  const tenant = await requireTenant(ctx, draft.tenantId);
  const before = await repo.lockSetting(ctx.db, tenant.id);
  requireUnedited(before, draft.editVersion);
  const { appId, secret, pushToken, pushKey } = draft;
  const push = pushOf(ctx.db.vault, tenant.id, before, draft);
  const isSamePush =
    before?.appId === appId && before.pushMode === push.pushMode && !pushToken && !pushKey;
  const setting = {
    ...push,
    appId,
    sealedSecret: secret
      ? ctx.db.vault.seal(secret, sealedFor(tenant.id))
      : keptSecret(before, appId),
    tenantId: tenant.id,
    editedBy: ctx.session.signature,
  };
  await repo.writeSetting(ctx.db, setting, isSamePush);
  ctx.audit({
    tenantId: tenant.id,
    target: `小程序配置 ${tenant.name}`,
    before: before && { appId: before.appId, pushMode: before.pushMode },
    after: {
      ...{ appId, pushMode: push.pushMode },
      ...(secret && { secret: "已更换" }),
      ...(pushToken && { pushToken: "已更换" }),
      ...(pushKey && { pushKey: "已更换" }),
    },
  });
  await checkSettingSoon(ctx.db, tenant.id);
  return null;
}

type Push = Pick<repo.SettingRow, "pushMode" | "sealedPushToken" | "sealedPushKey">;

/** Push fields of each mode with the secrets it requires. */
function pushOf(
  vault: Vault,
  tenantId: number,
  before: repo.SettingRow | null,
  draft: Draft,
): Push {
  const pushMode = draft.pushMode ?? before?.pushMode ?? "OFF";
  const sealed = (given: string | undefined, owner: string, kept: Buffer | null | undefined) =>
    given ? vault.seal(given, owner) : (kept ?? null);
  const token = sealed(draft.pushToken, pushTokenSealedFor(tenantId), before?.sealedPushToken);
  const key = sealed(draft.pushKey, pushKeySealedFor(tenantId), before?.sealedPushKey);
  if (pushMode !== "OFF" && !token) refuse("PUSH_TOKEN_MISSING");
  if (isSealedMode(pushMode) && !key) {
    refuse("PUSH_KEY_MISSING");
  }
  return { pushMode, sealedPushToken: token, sealedPushKey: key };
}

function keptSecret(before: repo.SettingRow | null, appId: string): Buffer {
  if (!before) refuse("APP_SECRET_MISSING");
  if (before.appId !== appId) {
    refuse("APP_SECRET_OF_OTHER_APP");
  }
  return before.sealedSecret;
}

export async function askToCheck(ctx: Ctx, tenantId?: number): Promise<null> {
  const tenant = await requireTenant(ctx, tenantId);
  const setting = await repo.lockSetting(ctx.db, tenant.id);
  if (!setting) refuse("MINI_PROGRAM_NOT_SET");
  ctx.audit({ tenantId: tenant.id, target: `小程序配置 ${tenant.name}` });
  await markChecking(ctx.db, repo.checkedRow(tenant.id));
  await checkSettingSoon(ctx.db, tenant.id);
  return null;
}

/** Requests an access token, which WeChat issues only for a matching AppID and secret. */
export async function checkSetting(
  database: Database,
  miniPrograms: MiniPrograms,
  tenantId: number,
): Promise<void> {
  const opened = await miniPrograms.open(database, tenantId);
  if (!opened) return;
  try {
    await opened.service.proveSecret();
  } catch (error) {
    if (!(error instanceof WechatRefusal)) throw error;
    await reportTrouble(database, opened, error);
    return;
  }
  const text =
    "AppID 与 AppSecret 已通过，微信已发放访问凭据。获取手机号的权限要到第一位新用户登录时才能验证。";
  await reportCheck(database, opened, true, text);
}

/** Shows the problem in the tenant's setting. */
export async function reportTrouble(
  database: Database,
  opened: OpenMiniProgram,
  { message }: WechatRefusal,
): Promise<void> {
  await reportCheck(database, opened, false, message);
}

async function reportCheck(
  database: Database,
  { setting }: OpenMiniProgram,
  isOk: boolean,
  text: string,
): Promise<void> {
  const { tenantId, editVersion } = setting;
  await database.transaction({ tenantId }, (db) =>
    writeCheck(db, repo.checkedRow(tenantId), { editVersion, isOk, text }),
  );
}
