// Operator actions on malfunctions: accept, assign, note, resolve, close; each adds a timeline
// event.

import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  actionProblem,
  type MalfunctionAction,
  type MalfunctionEventKind,
  type MovingAction,
  malfunctionStateText,
  severityText,
  stateAfter,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { malfunctionKindText } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import { operatorActor } from "../../../platform/actor.ts";
import { type Ctx, mayDo } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { openDoor } from "../../fleet/command/index.ts";
import { notifyAssignee } from "../../messaging/maintenance-message/index.ts";
import { findAssignee } from "./assignee.sql.ts";
import { announce, publish } from "./malfunction.service.ts";
import { findPlace, type LockedMalfunction, lockMalfunctions } from "./malfunction.sql.ts";
import { insertEvents, type Move, moveMalfunctions } from "./malfunction-progress.sql.ts";
import { attachPhotos } from "./photo.service.ts";

type Contract = typeof malfunctionContract;
type Body<Name extends "assign" | "ignore" | "note" | "test" | "resolve" | "setSeverity"> = Input<
  Contract[Name]
>["body"];

/**
 * Locks rows of one tenant, all in a state that allows the action; otherwise refuses and changes
 * none.
 */
async function lock(
  ctx: Ctx,
  ids: readonly number[],
  action: MalfunctionAction,
): Promise<LockedMalfunction[]> {
  const found = await lockMalfunctions(ctx.db, ctx.session, ids);
  if (found.length < ids.length) refuse("NOT_FOUND", { what: "故障" });
  if (new Set(found.map(({ tenantId }) => tenantId)).size > 1) {
    refuse("MALFUNCTIONS_OF_SEVERAL_TENANTS");
  }
  for (const each of found) {
    const why = actionProblem(action, each);
    if (why !== null) refuse("MALFUNCTION_NOT_NOW", { id: each.id, why });
  }
  return found;
}

export async function lockOne(
  ctx: Ctx,
  id: number,
  action: MalfunctionAction,
): Promise<LockedMalfunction> {
  const [found] = await lock(ctx, [id], action);
  return found ?? refuse("NOT_FOUND", { what: "故障" });
}

const NAMED = 3;

function targetOf(rows: readonly LockedMalfunction[]): string {
  const named = rows
    .slice(0, NAMED)
    .map(({ id, place, kind }) => `#${id} ${place} ${malfunctionKindText[kind]}`);
  return `故障 ${named.join("、")}${rows.length > NAMED ? ` 等 ${rows.length} 条` : ""}`;
}

interface Action {
  do: MovingAction;
  move: Move;
  event: MalfunctionEventKind;
  text?: string;
  reason?: string;
  /** Additional fields of the audit entry. */
  after?: Readonly<Record<string, unknown>>;
}

/**
 * Applies the transition, records events and audit; returns the event ids in the order of the rows.
 */
export async function carryOut(
  ctx: Ctx,
  rows: readonly LockedMalfunction[],
  action: Action,
): Promise<number[]> {
  const tenantId = rows[0]?.tenantId ?? 0;
  const { db, session } = ctx;
  const { move, event, text = "", reason, after } = action;
  await moveMalfunctions(
    db,
    tenantId,
    rows.map(({ id }) => id),
    move,
  );
  const stateOf = (row: LockedMalfunction) => stateAfter(action.do, row.assigneeId !== null);
  const eventIds = await insertEvents(
    db,
    rows.map((row) => ({
      ...{ tenantId, id: row.id, kind: event, text, toState: stateOf(row) },
      actorId: session.operatorId,
      actorName: session.signature,
    })),
  );
  await announce(db, rows);
  const [first] = rows;
  ctx.audit({
    tenantId,
    target: targetOf(rows),
    ...(reason && { reason }),
    before: {
      malfunctionState: rows.map(({ state }) => malfunctionStateText[state]).join("、"),
      assigneeName: [...new Set(rows.map(({ assigneeName }) => assigneeName))].join("、"),
    },
    after: { malfunctionState: first && malfunctionStateText[stateOf(first)], ...after },
  });
  return eventIds;
}

export async function acceptMalfunctions(ctx: Ctx, ids: readonly number[]): Promise<null> {
  const rows = await lock(ctx, ids, "accept");
  const { operatorId, tenantId, signature: name } = ctx.session;
  // Platform staff have no account in the tenant: only the name is stored.
  const by = { id: rows[0]?.tenantId === tenantId ? operatorId : null, name };
  await carryOut(ctx, rows, {
    do: "accept",
    move: { do: "accept", by },
    event: "ACCEPTED",
    after: { assigneeName: by.name },
  });
  return null;
}

export async function assignMalfunctions(
  ctx: Ctx,
  { ids, operatorId, note }: Body<"assign">,
): Promise<null> {
  const rows = await lock(ctx, ids, "assign");
  const tenantId = rows[0]?.tenantId ?? 0;
  const to = await findAssignee(ctx.db, { tenantId, operatorId, ids });
  if (!to) refuse("NOT_FOUND", { what: "处理人" });
  if (rows.every(({ assigneeId, state }) => assigneeId === to.id && state !== "CREATED")) {
    refuse("MALFUNCTION_ASSIGNED_ALREADY", { name: to.name });
  }
  const said = note.trim();
  await carryOut(ctx, rows, {
    do: "assign",
    move: { do: "assign", to },
    event: "ASSIGNED",
    text: said ? `派给 ${to.name}：${said}` : `派给 ${to.name}`,
    after: { assigneeName: to.name, ...(said && { note: said }) },
  });
  // No notification to an operator who assigns the malfunction to themselves.
  if (to.id !== ctx.session.operatorId) {
    for (const { id } of rows) await notifyAssignee(ctx.db, { tenantId, id }, to.id);
  }
  return null;
}

/**
 * Locks a compartment and returns the function that enables it. Passed in, because the feature of
 * compartments depends on this one.
 */
export type LockRepaired = (
  ctx: Ctx,
  place: { id: number; no: number },
) => Promise<(reason: string) => Promise<void>>;

/** Lock order: the compartment before the malfunction. */
export async function resolveMalfunction(
  ctx: Ctx,
  id: number,
  { cause, measure, photoIds, enables }: Body<"resolve">,
  lockRepaired: LockRepaired,
): Promise<null> {
  const enable = enables ? await lockRepaired(ctx, await compartmentOf(ctx, id)) : null;
  const row = await lockOne(ctx, id, "resolve");
  const said = { cause: cause.trim(), measure: measure.trim() };
  const [eventId = 0] = await carryOut(ctx, [row], {
    do: "resolve",
    move: { do: "resolve", ...said },
    event: "RESOLVED",
    text: `原因：${said.cause}\n措施：${said.measure}`,
    after: { ...said, photos: photoIds.length, ...(enables && { adminState: "ENABLED" }) },
  });
  await attachPhotos(ctx.db, { createdBy: ctx.session.operatorId }, { ...row, eventId }, photoIds);
  await publish(ctx.db, [row], "malfunction.resolved");
  await enable?.(`故障 #${id} 处理完成：${said.measure}`);
  return null;
}

/** Compartment that the caller may enable after the repair. */
async function compartmentOf(ctx: Ctx, id: number): Promise<{ id: number; no: number }> {
  if (!mayDo(ctx.session, "compartment:write")) refuse("NO_PERMISSION");
  const row = await findPlace(ctx.db, ctx.session, id);
  if (!row) refuse("NOT_FOUND", { what: "故障" });
  const { cabinetId, compartmentNo } = row;
  if (cabinetId === null || compartmentNo === null) {
    refuse("MALFUNCTION_NOT_NOW", { id, why: "不是格口的故障，没有可启用的格口" });
  }
  return { id: cabinetId, no: compartmentNo };
}

export async function closeMalfunctions(ctx: Ctx, ids: readonly number[]): Promise<null> {
  const rows = await lock(ctx, ids, "close");
  await carryOut(ctx, rows, { do: "close", move: { do: "close" }, event: "CLOSED" });
  return null;
}

export async function ignoreMalfunctions(ctx: Ctx, { ids, reason }: Body<"ignore">): Promise<null> {
  const rows = await lock(ctx, ids, "ignore");
  await carryOut(ctx, rows, {
    ...{ do: "ignore", move: { do: "ignore" }, event: "IGNORED" },
    ...{ text: reason, reason },
  });
  await publish(ctx.db, rows, "malfunction.resolved");
  return null;
}

export async function changeSeverity(
  ctx: Ctx,
  id: number,
  { severity, reason }: Body<"setSeverity">,
): Promise<null> {
  const row = await lockOne(ctx, id, "setSeverity");
  const { tenantId } = row;
  if (row.severity === severity) refuse("SEVERITY_UNCHANGED", { severity: severityText[severity] });
  await moveMalfunctions(ctx.db, tenantId, [id], { do: "setSeverity", severity });
  await note(
    ctx,
    row,
    "SEVERITY",
    `${severityText[row.severity]} → ${severityText[severity]}：${reason}`,
  );
  ctx.audit({
    tenantId,
    target: targetOf([row]),
    reason,
    before: { severity: severityText[row.severity] },
    after: { severity: severityText[severity] },
  });
  return null;
}

async function note(
  ctx: Ctx,
  row: LockedMalfunction,
  kind: MalfunctionEventKind,
  text: string,
  commandId?: string,
): Promise<number> {
  const { tenantId, id } = row;
  const actor = { actorId: ctx.session.operatorId, actorName: ctx.session.signature };
  const event = { tenantId, id, kind, text, ...actor, ...(commandId && { commandId }) };
  const [eventId = 0] = await insertEvents(ctx.db, [event]);
  await announce(ctx.db, [row]);
  return eventId;
}

export async function addNote(
  ctx: Ctx,
  id: number,
  { text, photoIds }: Body<"note">,
): Promise<null> {
  const row = await lockOne(ctx, id, "note");
  const eventId = await note(ctx, row, "NOTED", text.trim());
  await attachPhotos(ctx.db, { createdBy: ctx.session.operatorId }, { ...row, eventId }, photoIds);
  const after = { note: text.trim(), photos: photoIds.length };
  ctx.audit({ tenantId: row.tenantId, target: targetOf([row]), after });
  return null;
}

/** Opens a door for a test. Lock order: the cabinet before the malfunction. */
export async function testDoor(
  ctx: Ctx,
  id: number,
  { no, side = "FRONT", reason }: Body<"test">,
): Promise<Command> {
  const { db, session, origin } = ctx;
  const place = await placeOf(ctx, id, no);
  const command = await openDoor(db, session, {
    ...{ cabinetId: place.cabinetId, no, side, reason },
    actor: operatorActor(session),
    requestId: origin.requestId,
  });
  const row = await lockOne(ctx, id, "test");
  const door = `${no} 号格口${command.side === "BACK" ? `${doorSideText.BACK}门` : ""}`;
  await note(ctx, row, "TESTED", `${door}：${reason}`, command.id);
  ctx.audit({
    tenantId: row.tenantId,
    target: targetOf([row]),
    reason,
    after: { commandId: command.id, no, side },
  });
  return command;
}

/** Cabinet of the malfunction, read without a lock because it never changes. */
async function placeOf(ctx: Ctx, id: number, no: number): Promise<{ cabinetId: number }> {
  const row = await findPlace(ctx.db, ctx.session, id);
  if (!row) refuse("NOT_FOUND", { what: "故障" });
  const { cabinetId, compartmentNo } = row;
  if (cabinetId === null) refuse("MALFUNCTION_NOT_NOW", { id, why: "门店断网没有可测试的箱门" });
  if (compartmentNo !== null && compartmentNo !== no) {
    refuse("MALFUNCTION_OTHER_COMPARTMENT", { no: compartmentNo });
  }
  return { cabinetId };
}
