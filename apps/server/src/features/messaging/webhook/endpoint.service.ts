// Operator actions on webhook endpoints: create, change, pause, delete, rotate secrets, test.

import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  EndpointDetail,
  EndpointDraft,
  IssuedWebhookSecret,
  WebhookEndpoint,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import {
  endpointStateText,
  MAX_ACTIVE_SECRETS,
  MAX_ENDPOINTS,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import {
  ORDER_EVENTS,
  TEST_EVENT,
} from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { notify } from "../../../platform/db/notify.ts";
import { invalid, refuse, requireUnedited } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import { requireTenant } from "../../organization/tenant/index.ts";
import { savedUrlProblem } from "./address.gate.ts";
import { insertTrial } from "./delivery.sql.ts";
import * as repo from "./endpoint.sql.ts";
import { newSecret, sealSecret } from "./webhook-message.format.ts";

export interface WebhookParts {
  /** Allows http and loopback, for rehearsals. */
  allowsLoopback: boolean;
}

export function listEndpoints(ctx: Ctx, query: repo.EndpointQuery): Promise<Page<WebhookEndpoint>> {
  return repo.findEndpoints(ctx.db, ctx.session, query);
}

export async function getEndpoint(ctx: Ctx, id: number): Promise<EndpointDetail> {
  const found = await repo.findEndpoint(ctx.db, ctx.session, id);
  return found ?? refuse("NOT_FOUND", { what: "回调地址" });
}

export async function createEndpoint(
  ctx: Ctx,
  { allowsLoopback }: WebhookParts,
  { tenantId: asked, ...draft }: EndpointDraft & { tenantId?: number },
): Promise<IssuedWebhookSecret> {
  requireAllStores(ctx, "回调地址");
  const { db, session } = ctx;
  const { id: tenantId } = await requireTenant(ctx, asked);
  if ((await repo.countEndpoints(db, tenantId)) >= MAX_ENDPOINTS) {
    refuse("CALLBACK_LIMIT", { max: MAX_ENDPOINTS });
  }
  const wanted = await tidy(ctx, { tenantId, id: null }, draft, allowsLoopback);
  const id = await repo.insertEndpoint(db, tenantId, wanted, session.signature);
  const secret = await issue(db, { tenantId, id });
  ctx.audit({ tenantId, target: targetOf(wanted), after: wanted });
  await pushLive(db, { tenantId, topic: "callback", cabinetId: null });
  return { id, name: wanted.name, secret, previousExpiresAt: null };
}

export async function updateEndpoint(
  ctx: Ctx,
  { allowsLoopback }: WebhookParts,
  id: number,
  { editVersion, ...draft }: EndpointDraft & { editVersion: number },
): Promise<null> {
  const before = await lock(ctx, id);
  requireUnedited(before, editVersion);
  // Waiting deliveries belong to the application the endpoint was created for; no other may see
  // them.
  if (before.appId !== draft.appId) {
    refuse("CALLBACK_APP_FIXED");
  }
  const wanted = await tidy(ctx, before, draft, allowsLoopback, before.url);
  await repo.updateEndpoint(ctx.db, before, wanted, ctx.session.signature);
  const { name, url, types, appId } = before;
  const { tenantId } = before;
  const old = { name, url, types, appId };
  ctx.audit({ tenantId, target: targetOf(before), before: old, after: wanted });
  await pushLive(ctx.db, { tenantId, topic: "callback", cabinetId: null });
  return null;
}

/** Resumes the waiting deliveries at once. */
export async function enableEndpoint(ctx: Ctx, id: number): Promise<null> {
  const before = await lock(ctx, id);
  if (before.appOff !== null) {
    const what = `接口应用“${before.appOff}”`;
    refuse("STATE_NOT_ALLOWED", {
      ...{ what, state: "已停用", action: "启用它的回调地址：请先启用这个应用" },
    });
  }
  if (before.state !== "DISABLED") refuseState(before, "启用");
  await repo.setState(ctx.db, before, "ENABLED", `${ctx.session.signature} 启用`);
  await publishChange(ctx, before, { after: { state: endpointStateText.ENABLED } });
  return null;
}

/** New events create no deliveries for it; waiting ones are kept. */
export async function disableEndpoint(ctx: Ctx, id: number, reason: string): Promise<null> {
  const before = await lock(ctx, id);
  if (before.state === "DISABLED") refuseState(before, "停用");
  await repo.setState(ctx.db, before, "DISABLED", reason);
  await publishChange(ctx, before, { reason, after: { state: endpointStateText.DISABLED } });
  return null;
}

export async function deleteEndpoint(ctx: Ctx, id: number, reason: string): Promise<null> {
  const before = await lock(ctx, id);
  const cancelled = await repo.deleteEndpoint(ctx.db, before);
  const { name, url, types, appId, tenantId } = before;
  ctx.audit({
    tenantId,
    target: targetOf(before),
    reason,
    before: { name, url, types, appId },
    after: { cancelled },
  });
  await pushLive(ctx.db, { tenantId, topic: "callback", cabinetId: null });
  return null;
}

/** Issues a new secret, either beside the old one or replacing it at once. */
export async function rotateSecret(
  ctx: Ctx,
  id: number,
  { overlapHours, reason }: { overlapHours: number; reason?: string },
): Promise<IssuedWebhookSecret> {
  // Without an overlap, signatures with the old secret end at once: require a reason.
  if (overlapHours === 0 && !reason) refuse("REASON_REQUIRED");
  const before = await lock(ctx, id);
  const { tenantId, name } = before;
  const active = await repo.findSecrets(ctx.db, before);
  if (overlapHours > 0 && active.length >= MAX_ACTIVE_SECRETS) refuse("CALLBACK_SECRET_LIMIT");
  const previousExpiresAt = await repo.endSecrets(ctx.db, before, overlapHours);
  const secret = await issue(ctx.db, before);
  ctx.audit({
    tenantId,
    target: targetOf(before),
    ...(reason && { reason }),
    before: { hints: active.map(({ hint }) => hint) },
    after: { hint: secret.slice(-HINT_LETTERS), previousExpiresAt },
  });
  await pushLive(ctx.db, { tenantId, topic: "callback", cabinetId: null });
  return { id, name, secret, previousExpiresAt };
}

/**
 * Sends one test or probe, whatever the endpoint's state; its outcome is recorded as a delivery.
 */
export async function tryEndpoint(
  ctx: Ctx,
  id: number,
  purpose: "TEST" | "PROBE",
): Promise<{ deliveryId: number }> {
  const endpoint = await lock(ctx, id);
  const { tenantId } = endpoint;
  const deliveryId = await insertTrial(ctx.db, endpoint, purpose, TEST_EVENT);
  ctx.audit({ tenantId, target: targetOf(endpoint) });
  await notify(ctx.db, "callback", null);
  return { deliveryId };
}

const HINT_LETTERS = 4;

async function issue(db: Db, key: repo.EndpointKey): Promise<string> {
  const secret = newSecret();
  const sealed = sealSecret(db.vault, key, secret);
  await repo.insertSecret(db, key, sealed, secret.slice(-HINT_LETTERS));
  return secret;
}

async function lock(ctx: Ctx, id: number): Promise<repo.EndpointRow> {
  requireAllStores(ctx, "回调地址");
  const found = await repo.lockEndpoint(ctx.db, ctx.session, id);
  return found ?? refuse("NOT_FOUND", { what: "回调地址" });
}

async function publishChange(
  ctx: Ctx,
  before: repo.EndpointRow,
  note: { reason?: string; after: Record<string, unknown> },
): Promise<void> {
  const { tenantId, state } = before;
  const old = { state: endpointStateText[state] };
  ctx.audit({ tenantId, target: targetOf(before), before: old, ...note });
  await Promise.all([
    notify(ctx.db, "callback", null),
    pushLive(ctx.db, { tenantId, topic: "callback", cabinetId: null }),
  ]);
}

function refuseState({ name, state }: repo.EndpointRow, action: string): never {
  return refuse("STATE_NOT_ALLOWED", {
    what: `回调地址“${name}”`,
    state: endpointStateText[state],
    action,
  });
}

const targetOf = ({ name }: { name: string }) => `回调地址 ${name}`;

const orderEvents: ReadonlySet<string> = new Set(ORDER_EVENTS);

/** The draft with its texts trimmed; refuses an invalid one. */
async function tidy(
  ctx: Ctx,
  { tenantId, id }: { tenantId: number; id: number | null },
  draft: EndpointDraft,
  allowsLoopback: boolean,
  urlBefore?: string,
): Promise<EndpointDraft> {
  const name = draft.name.trim();
  const url = draft.url.trim();
  const { types, appId } = draft;
  // An unchanged URL is not checked again here; each attempt checks it.
  const problem = url === urlBefore ? null : savedUrlProblem(url, allowsLoopback);
  if (problem) invalid(problem);
  if (appId !== null) {
    if (!(await repo.hasApp(ctx.db, tenantId, appId))) refuse("NOT_FOUND", { what: "接口应用" });
    if (types.some((type) => !orderEvents.has(type))) {
      refuse("CALLBACK_EVENT_NOT_OF_APP");
    }
  }
  if (await repo.isNameTaken(ctx.db, tenantId, name, id)) refuse("CALLBACK_NAME_TAKEN", { name });
  return { name, url, types, appId };
}
