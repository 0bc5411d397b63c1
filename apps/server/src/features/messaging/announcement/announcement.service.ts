// Actions on announcements: write, publish now or scheduled, withdraw, delete; and reading received
// ones.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type {
  AnnouncementDetail,
  AnnouncementDraft,
  announcementContract,
} from "@cabinet/contract/messaging/announcement/announcement.contract.ts";
import {
  type AnnouncementStep,
  announcementName,
  announcementPhaseText,
  isAddressFixed,
  mayStep,
  PUBLISH_AHEAD_MAX_DAYS,
} from "@cabinet/contract/messaging/announcement/announcement.rules.ts";
import { plainTextOf } from "@cabinet/contract/messaging/rich-text/rich-text.rules.ts";
import { type Ctx, isPlatformStaff } from "../../../platform/context.ts";
import { refuse, refuseOutdated } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { PLATFORM_TENANT_ID, requireTenant } from "../../organization/tenant/index.ts";
import { addImages, dropImages, takeRichText } from "../rich-text/index.ts";
import * as repo from "./announcement.sql.ts";
import { findReceivedOne, findRecipients, markRead, type RecipientQuery } from "./recipient.sql.ts";

type Contract = typeof announcementContract;

const notFound = () => refuse("NOT_FOUND", { what: "公告" });

export async function getAnnouncement(ctx: Ctx, id: number): Promise<AnnouncementDetail> {
  return (await repo.findAnnouncement(ctx.db, ctx.session, id)) ?? notFound();
}

export async function listRecipients(ctx: Ctx, id: number, query: RecipientQuery) {
  return findRecipients(ctx.db, await getAnnouncement(ctx, id), query);
}

export async function createAnnouncement(
  ctx: Ctx,
  { tenantId: asked, ...draft }: Input<Contract["create"]>["body"],
): Promise<Reply<Contract["create"]>> {
  const { id: tenantId } = await requireTenant(ctx, asked);
  const values = await valuesOf(ctx, tenantId, draft);
  const by = ctx.session.signature;
  const id = await repo.insertAnnouncement(ctx.db, { ...values, tenantId, by });
  await addImages(ctx.db, { tenantId, html: values.content, announcementId: id });
  ctx.audit({ tenantId, target: nameOf(values), after: shown(values) });
  return { id };
}

export async function updateAnnouncement(
  ctx: Ctx,
  id: number,
  { editVersion, ...draft }: Input<Contract["update"]>["body"],
): Promise<null> {
  const row = await lock(ctx, id);
  const { tenantId } = row;
  if (row.edition !== editVersion) refuseOutdated(row.editedBy);
  const values = await valuesOf(ctx, tenantId, draft);
  if (isAddressFixed(row.phase) && (values.kind !== row.kind || values.audience !== row.audience)) {
    refuse("ANNOUNCEMENT_AUDIENCE_FIXED");
  }
  const { expiresAt } = values;
  if (expiresAt && row.publishAt && row.phase !== "WITHDRAWN")
    requireAfter(expiresAt, row.publishAt);
  const before = await getAnnouncement(ctx, id);
  await repo.updateAnnouncement(ctx.db, row, { ...values, by: ctx.session.signature });
  await addImages(ctx.db, { tenantId, html: values.content, announcementId: id });
  ctx.audit({
    tenantId,
    target: nameOf(values),
    before: shown(draftOf(before)),
    after: shown(values),
  });
  await publishChange(ctx, row);
  return null;
}

export async function publishAnnouncement(
  ctx: Ctx,
  id: number,
  publishAt: string | null,
): Promise<null> {
  const row = await lockFor(ctx, id, "publish", "发布");
  const now = Date.parse(await repo.readClock(ctx.db));
  const at = publishAt === null ? now : Date.parse(publishAt);
  if (publishAt !== null && at <= now) refuse("PUBLISH_TIME_PAST");
  if (at - now > PUBLISH_AHEAD_MAX_DAYS * DAY_MS) {
    refuse("PUBLISH_TIME_TOO_FAR", { days: PUBLISH_AHEAD_MAX_DAYS });
  }
  if (row.expiresAt) requireAfter(row.expiresAt, new Date(at).toISOString());
  await repo.publishAnnouncement(ctx.db, row, publishAt);
  return changed(ctx, row);
}

const DAY_MS = 86_400_000;

function requireAfter(expiresAt: string, publishAt: string): void {
  if (Date.parse(expiresAt) <= Date.parse(publishAt)) {
    refuse("EXPIRY_BEFORE_PUBLISH");
  }
}

export async function withdrawAnnouncement(ctx: Ctx, id: number, reason: string): Promise<null> {
  const row = await lockFor(ctx, id, "withdraw", "撤回");
  await repo.withdrawAnnouncement(ctx.db, row, reason.trim());
  ctx.audit({ reason: reason.trim() });
  return changed(ctx, row);
}

export async function deleteAnnouncement(ctx: Ctx, id: number): Promise<null> {
  const row = await lockFor(ctx, id, "delete", "删除，请先撤回");
  const { tenantId } = row;
  const before = await getAnnouncement(ctx, id);
  await dropImages(ctx.db, { tenantId, kept: [], announcementId: id });
  await repo.deleteAnnouncement(ctx.db, row);
  ctx.audit({ tenantId, target: nameOf(row), before: shown(draftOf(before)) });
  await publishChange(ctx, row);
  return null;
}

/** Audits the phase before and after, and makes consoles reload. */
async function changed(ctx: Ctx, row: repo.AnnouncementRow): Promise<null> {
  const { phase, publishAt } = row;
  const after = await getAnnouncement(ctx, row.id);
  ctx.audit({
    tenantId: row.tenantId,
    target: nameOf(row),
    before: { phase, publishAt },
    after: { phase: after.phase, publishAt: after.publishAt },
  });
  await publishChange(ctx, row);
  return null;
}

/** Announcements of the platform go to the consoles of all tenants; each loads what it may see. */
async function publishChange({ db }: Ctx, { tenantId }: { tenantId: number }): Promise<void> {
  await pushLive(db, {
    tenantId: tenantId === PLATFORM_TENANT_ID ? null : tenantId,
    topic: "announcement",
    cabinetId: null,
  });
}

async function lock(ctx: Ctx, id: number): Promise<repo.AnnouncementRow> {
  const row = await repo.lockAnnouncement(ctx.db, ctx.session, id);
  if (!row) return notFound();
  requireMayAddress(ctx, row.tenantId, row.audience);
  return row;
}

async function lockFor(ctx: Ctx, id: number, step: AnnouncementStep, action: string) {
  const row = await lock(ctx, id);
  if (mayStep(row.phase, step)) return row;
  const state = announcementPhaseText[row.phase];
  return refuse("STATE_NOT_ALLOWED", { what: nameOf(row), state, action });
}

/** Only platform staff may address the accounts of other tenants. */
function requireMayAddress(ctx: Ctx, tenantId: number, audience: string): void {
  requireAllStores(ctx, "公告");
  if (tenantId === PLATFORM_TENANT_ID && audience === "OPERATOR" && !isPlatformStaff(ctx.session)) {
    refuse("ANNOUNCEMENT_PLATFORM_ONLY");
  }
}

const nameOf = (of: Parameters<typeof announcementName>[0]) => `公告“${announcementName(of)}”`;

const textOf = (html: string) => {
  const text = plainTextOf(html);
  return text.length > 200 ? `${text.slice(0, 200)}…（共 ${text.length} 字）` : text;
};

const draftOf = (detail: AnnouncementDetail): AnnouncementDraft => ({
  ...detail,
  tenantIds: detail.tenants.map(({ id }) => id),
});

/** For the audit log: a shortened plain text; the editions keep the full content. */
function shown(values: AnnouncementDraft) {
  const { kind, title, version, content, audience, userTypes, tenantIds, isPinned } = values;
  const { expiresAt } = values;
  const text = textOf(content);
  return {
    kind,
    title,
    version,
    content: text,
    audience,
    userTypes,
    tenantIds,
    isPinned,
    expiresAt,
  };
}

/** Checks what the schema cannot express, and drops fields that the kind does not use. */
async function valuesOf(
  ctx: Ctx,
  tenantId: number,
  draft: AnnouncementDraft,
): Promise<AnnouncementDraft> {
  const { kind, expiresAt } = draft;
  const title = draft.title.trim();
  const version = kind === "VERSION" ? draft.version.trim() : "";
  const audience = ({ VERSION: "OPERATOR", NOTICE: draft.audience } as const)[kind];
  const isOfPlatform = tenantId === PLATFORM_TENANT_ID;
  requireMayAddress(ctx, tenantId, audience);
  if (kind === "VERSION" && !isOfPlatform) refuse("VERSION_NOTICE_PLATFORM_ONLY");
  if (kind === "VERSION" && version === "") refuse("VERSION_MISSING");
  if (kind === "NOTICE" && title === "") refuse("ANNOUNCEMENT_TITLE_MISSING");
  const userTypes: AnnouncementDraft["userTypes"] =
    kind === "VERSION" ? [1] : audience === "OPERATOR" ? draft.userTypes.toSorted() : [];
  if (audience === "OPERATOR" && userTypes.length === 0) refuse("ANNOUNCEMENT_RECIPIENT_MISSING");
  const tenantIds =
    isOfPlatform && audience === "OPERATOR" ? draft.tenantIds.toSorted(byNumber) : [];
  for (const id of tenantIds) await requireTenant(ctx, id);
  if (expiresAt && Date.parse(expiresAt) <= Date.parse(await repo.readClock(ctx.db))) {
    refuse("EXPIRY_PAST");
  }
  const content = takeRichText(draft.content, "内容");
  return { ...draft, title, version, content, audience, userTypes, tenantIds };
}

const byNumber = (a: number, b: number) => a - b;

export async function getReceived(ctx: Ctx, id: number): Promise<Reply<Contract["receivedOne"]>> {
  return (await findReceivedOne(ctx.db, ctx.session, id)) ?? notFound();
}

export async function readAnnouncements(ctx: Ctx, ids: number[]): Promise<null> {
  const read = await markRead(ctx.db, ctx.session, ids);
  const names = read.map(({ name }) => `“${name}”`);
  const rest = names.length > 3 ? ` 等 ${names.length} 条` : "";
  ctx.audit({
    // Nameless when all were withdrawn meanwhile.
    target: `公告${names.slice(0, 3).join("、") || ` ${ids.join("、")}`}${rest}`,
    after: { announcementIds: read.map(({ id }) => id) },
  });
  return null;
}
