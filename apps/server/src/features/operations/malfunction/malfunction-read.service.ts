// Malfunction queries: lists, detail and candidates; also creates one by hand.
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { noticeStepText } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type {
  MalfunctionDraft,
  MalfunctionEntry,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { malfunctionKindText } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { findAssignees } from "./assignee.sql.ts";
import { report } from "./malfunction.service.ts";
import * as repo from "./malfunction.sql.ts";
import { attachPhotos } from "./photo.service.ts";
import { findEvents, findNotified, type NotifiedPerson } from "./timeline.sql.ts";

type Contract = typeof malfunctionContract;

export function listMalfunctions(
  ctx: Ctx,
  query: repo.MalfunctionQuery,
): Promise<Reply<Contract["list"]>> {
  requireSpan(query);
  return repo.findMalfunctions(ctx.db, ctx.session, query);
}

export function countByState(
  ctx: Ctx,
  query: Input<Contract["counts"]>["query"],
): Promise<Reply<Contract["counts"]>> {
  requireSpan(query);
  return repo.countByState(ctx.db, ctx.session, query);
}

export async function getMalfunction(ctx: Ctx, id: number): Promise<Reply<Contract["get"]>> {
  const row = await repo.findMalfunction(ctx.db, ctx.session, id);
  if (!row) refuse("NOT_FOUND", { what: "故障" });
  const [events, notified, outage, affected] = await Promise.all([
    findEvents(ctx.db, row),
    findNotified(ctx.db, row),
    repo.findOutageCabinets(ctx.db, row),
    repo.countAffected(ctx.db, row),
  ]);
  const timeline = [...events, ...notified.map(entryOf)].sort((a, b) => b.at.localeCompare(a.at));
  return { ...row, outage, affected, notices: notified, timeline };
}

function entryOf({ at, step, names, bySms }: NotifiedPerson): MalfunctionEntry {
  const sms = bySms > 0 ? `，其中 ${bySms} 人同时发短信` : "";
  return {
    ...{ key: `T${step}${at}`, at, kind: "TOLD", actorName: "" },
    text: `${noticeStepText[step]}：${names.join("、")}${sms}`,
    ...{ toState: null, photos: [], command: null },
  };
}

export async function listAssignees(
  ctx: Ctx,
  { ids: asked, tenantId }: Input<Contract["assignees"]>["query"],
): Promise<Reply<Contract["assignees"]>> {
  const ids = asked?.split(",").map(Number) ?? [];
  const found = await repo.findTenantsOf(ctx.db, ctx.session, ids);
  const tenant = await requireTenant(ctx, tenantId ?? found[0]?.tenantId);
  const theirs = found.filter((each) => each.tenantId === tenant.id);
  if (theirs.length < ids.length) refuse("NOT_FOUND", { what: "故障" });
  return findAssignees(ctx.db, tenant.id, ids);
}

/** Creates one by hand; refused while the same kind is open there, that one is to be worked on. */
export async function createMalfunction(
  ctx: Ctx,
  { photoIds, description, ...draft }: MalfunctionDraft,
): Promise<Reply<Contract["create"]>> {
  const { db, session } = ctx;
  const place = await repo.findCabinetPlace(db, session, draft);
  if (!place) refuse("NOT_FOUND", { what: "设备" });
  if (!place.hasCompartment) refuse("NOT_FOUND", { what: `${draft.compartmentNo} 号格口` });
  if (place.openId !== null) refuse("MALFUNCTION_OPEN_ALREADY", { id: place.openId });
  const { tenantId } = place;
  const said = description.trim();
  const [created] = await report(db, [
    {
      ...{ ...draft, tenantId, storeId: null, source: "PERSON", description: said },
      ...{ reporterName: session.signature, count: 1 },
    },
  ]);
  if (!created?.isNew) refuse("CONFLICT", { what: "这台设备的故障" });
  await attachPhotos(db, { createdBy: session.operatorId }, created, photoIds);
  const where = draft.compartmentNo === null ? "" : ` ${draft.compartmentNo} 号格口`;
  ctx.audit({
    tenantId,
    target: `故障 #${created.id} ${place.cabinetName}${where} ${malfunctionKindText[draft.kind]}`,
    after: { ...draft, description: said, photos: photoIds.length },
  });
  return { id: created.id };
}
