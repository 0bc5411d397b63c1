// 租户其他配置: settings of a tenant, and their use by other features.
import { PROOF_MINUTES } from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import type { Input, Reply, StoredFile } from "@cabinet/contract/kit/endpoint.ts";
import { openingHoursProblem } from "@cabinet/contract/kit/opening-hours.rules.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import type {
  TenantSetting,
  tenantSettingContract,
} from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { RETENTION } from "@cabinet/contract/organization/tenant-setting/tenant-setting.rules.ts";
import type { Actor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { AmapKey } from "../../../platform/env.ts";
import { invalid, refuse, requireUnedited } from "../../../platform/errors.ts";
import { requireRecentProof } from "../../../platform/http/http-access.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { countAsked } from "../../../platform/limits/rate-limit.sql.ts";
import { insertFile, releaseFile, useFile } from "../file/index.ts";
import { requireAllStores } from "../store/index.ts";
import { requireTenant } from "../tenant/index.ts";
import * as repo from "./tenant-setting.sql.ts";

/** The logo is shown in a corner of each page. */
const LOGO_MAX_BYTES = 512 * 1024;
const LOGO_MAX_SIDE = 1024;

export const sealedFor = (tenantId: number) => `map code ${tenantId}`;

const untouched: repo.SettingRow = {
  isHint: true,
  tellsOverdue: true,
  servicePhone: "",
  openingHours: "",
  smsSign: "",
  revealsPerDay: 100,
  codesPerHour: 2_000,
  adminsNeedFactor: false,
  refundProofFen: 20_000,
  proofMinutes: PROOF_MINUTES,
  reviewFen: 0,
  sharesPeople: false,
  keepPeopleDays: RETENTION.keepPeopleDays.usual,
  keepMessagesDays: RETENTION.keepMessagesDays.usual,
  keepPhotosDays: RETENTION.keepPhotosDays.usual,
  keepLogsDays: RETENTION.keepLogsDays.usual,
  keepEventsDays: RETENTION.keepEventsDays.usual,
  keepCommandsDays: RETENTION.keepCommandsDays.usual,
  keepAuditDays: RETENTION.keepAuditDays.usual,
  logoId: null,
  mapKey: "",
  sealedMapCode: null,
  editVersion: 0,
  editedAt: null,
  editedBy: "",
};

async function settingOf(db: Db, tenantId: number): Promise<repo.SettingRow> {
  return (await repo.findSetting(db, tenantId)) ?? untouched;
}

export async function getSetting(
  ctx: Ctx,
  hasSharedMap: boolean,
  asked?: number,
): Promise<TenantSetting> {
  const { id: tenantId, name: tenantName } = await requireTenant(ctx, asked);
  const { sealedMapCode: _, ...setting } = await settingOf(ctx.db, tenantId);
  return { ...setting, tenantId, tenantName, hasSharedMap };
}

export async function getShellSetting({
  db,
  session,
}: Ctx): Promise<Reply<typeof tenantSettingContract.shell>> {
  const { isHint, logoId } = await settingOf(db, session.tenantId);
  return { isHint, logoId, displayName: session.displayName };
}

type Draft = Input<typeof tenantSettingContract.saveSetting>["body"];

export async function saveSetting(
  ctx: Ctx,
  { tenantId: asked, editVersion, mapCode, ...wanted }: Draft,
): Promise<null> {
  requireAllStores(ctx, "租户其他配置");
  const tenant = await requireTenant(ctx, asked);
  const before = (await repo.lockSetting(ctx.db, tenant.id)) ?? untouched;
  requireUnedited(before, editVersion);
  const problem = openingHoursProblem(wanted.openingHours);
  if (problem) invalid(problem);
  await changeLogo(ctx.db, tenant.id, before.logoId, wanted.logoId);
  const sealedMapCode = mapCode
    ? ctx.db.vault.seal(mapCode, sealedFor(tenant.id))
    : keptMapCode(before, wanted.mapKey);
  // Fields that a save leaves out stay as they are.
  const draft = { ...plainOf(before), ...wanted };
  if (isWeaker(draft, before)) requireRecentProof(ctx.session);
  await repo.writeSetting(ctx.db, {
    ...draft,
    tenantId: tenant.id,
    sealedMapCode: wanted.mapKey === "" ? null : sealedMapCode,
    editedBy: ctx.session.signature,
  });
  ctx.audit({
    tenantId: tenant.id,
    target: `租户其他配置 ${tenant.name}`,
    before: shown(before),
    after: {
      ...shown(draft),
      ...(mapCode && wanted.mapKey && { mapCode: "已更换" }),
    },
  });
  await pushLive(ctx.db, { tenantId: tenant.id, topic: "setting", cabinetId: null });
  return null;
}

/** The security code belongs to one key: a new key requires a new code. */
function keptMapCode(before: repo.SettingRow, mapKey: string): Buffer | null {
  if (mapKey === "" || before.mapKey === mapKey) return before.sealedMapCode;
  refuse("MAP_CODE_MISSING");
}

/** True for a change that a stolen session would make before it abuses the account. */
function isWeaker(draft: repo.PlainDraft, before: repo.PlainDraft): boolean {
  return (
    (before.adminsNeedFactor && !draft.adminsNeedFactor) ||
    (draft.sharesPeople && !before.sharesPeople) ||
    draft.refundProofFen > before.refundProofFen ||
    (before.reviewFen > 0 && (draft.reviewFen === 0 || draft.reviewFen > before.reviewFen)) ||
    draft.proofMinutes > before.proofMinutes ||
    draft.revealsPerDay > before.revealsPerDay
  );
}

function plainOf(setting: repo.PlainDraft): repo.PlainDraft {
  const fields = repo.SETTING_FIELDS.map((name) => [name, setting[name]] as const);
  return Object.fromEntries(fields) as unknown as repo.PlainDraft;
}

/** Fields for the audit log, with the phone masked. */
function shown(setting: repo.PlainDraft) {
  return { ...plainOf(setting), servicePhone: maskPhone(setting.servicePhone) };
}

async function changeLogo(db: Db, tenantId: number, was: string | null, wanted: string | null) {
  if (was === wanted) return;
  if (wanted && !(await useFile(db, tenantId, wanted, "LOGO"))) {
    refuse("NOT_FOUND", { what: "Logo 图片" });
  }
  if (was) await releaseFile(db, tenantId, was);
}

export async function uploadLogo(
  ctx: Ctx,
  { file, tenantId: asked }: Input<typeof tenantSettingContract.uploadLogo>["body"],
): Promise<Reply<typeof tenantSettingContract.uploadLogo>> {
  const tenant = await requireTenant(ctx, asked);
  const { name, sizeBytes, sha256, width, height } = file;
  if (sizeBytes > LOGO_MAX_BYTES || Math.max(width ?? 0, height ?? 0) > LOGO_MAX_SIDE) {
    refuse("LOGO_TOO_LARGE", { size: sizeText(LOGO_MAX_BYTES), side: LOGO_MAX_SIDE });
  }
  const createdBy = ctx.session.operatorId;
  const id = await insertFile(ctx.db, { tenantId: tenant.id, createdBy, purpose: "LOGO", file });
  ctx.audit({ tenantId: tenant.id, target: `Logo 图片 ${name}`, after: { id, sizeBytes, sha256 } });
  return { id };
}

export async function getLogo(ctx: Ctx, fileId: string): Promise<StoredFile> {
  const file = await repo.findLogoFile(ctx.db, ctx.session, fileId);
  return file ?? refuse("NOT_FOUND", { what: "Logo 图片" });
}

/** The tenant's own key of the map service. */
export async function findMapKey(db: Db, tenantId: number): Promise<AmapKey | null> {
  const { mapKey, sealedMapCode } = await settingOf(db, tenantId);
  if (!sealedMapCode) return null;
  return { key: mapKey, securityCode: db.vault.open(sealedMapCode, sealedFor(tenantId)) };
}

/** Signature in front of the tenant's text messages; empty: the product's name. */
export async function findSmsSign(db: Db, tenantId: number): Promise<string> {
  return (await settingOf(db, tenantId)).smsSign;
}

export async function sendsOverdueNotices(db: Db, tenantId: number): Promise<boolean> {
  return (await settingOf(db, tenantId)).tellsOverdue;
}

export const DAY_SECONDS = 86_400;

/**
 * Counts one look at full phone numbers of the tenant's people; returns how many the account took in 24 hours. Beyond
 * the tenant's limit it refuses.
 */
export async function countReveal(
  { db, session }: Pick<Ctx, "db" | "session">,
  tenantId: number,
): Promise<number> {
  const { revealsPerDay: max } = await settingOf(db, tenantId);
  const key = `reveal:${tenantId}:${session.homeTenantId}:${session.operatorId}`;
  const { asked, rest } = await countAsked(db, key, DAY_SECONDS);
  if (asked > max) refuse("REVEALS_USED_UP", { max, hours: Math.ceil(rest / 3_600) });
  return asked;
}

/** Text messages with sign-in codes that the tenant sends in an hour, at most. */
export async function findCodesPerHour(db: Db, tenantId: number): Promise<number> {
  return (await settingOf(db, tenantId)).codesPerHour;
}

/**
 * Adds money that a console account gives, takes or sells to its sum of 24 hours; beyond the tenant's limit the session
 * needs a recent proof, so that many small amounts are no way around it. The refusal takes the addition back. True beyond
 * the tenant's sum for a second person.
 */
export async function countOperatorMoney(
  db: Db,
  { tenantId, actor, fen }: { tenantId: number; actor: Actor; fen: number },
): Promise<boolean> {
  const { id, proof } = actor;
  if (!proof) return false;
  const { refundProofFen, reviewFen } = await settingOf(db, tenantId);
  const key = `money:${tenantId}:${proof.homeTenantId}:${id}`;
  const { asked } = await countAsked(db, key, DAY_SECONDS, fen);
  if (asked > refundProofFen && !proof.isRecent) refuse("PROOF_DUE");
  return reviewFen > 0 && asked > reviewFen;
}
