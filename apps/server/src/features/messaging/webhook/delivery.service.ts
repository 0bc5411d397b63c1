// Operator actions on deliveries: inspecting them, and replaying one or a time window.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { shanghaiMinute } from "@cabinet/contract/kit/shanghai.rules.ts";
import type {
  DeliveryDetail,
  WebhookDelivery,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import {
  deliveryStateText,
  KEPT_DAYS,
  MAX_REPLAY,
  replayKindText,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import type { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { notify } from "../../../platform/db/notify.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { pushLive } from "../../../platform/http/live.ts";
import { requireAllStores } from "../../organization/store/index.ts";
import * as repo from "./delivery.sql.ts";
import {
  type EndpointRow,
  findEndpoint,
  lockEndpoint,
  lockEndpointsOfApp,
} from "./endpoint.sql.ts";
import { bodyOf } from "./webhook-message.format.ts";

export function listDeliveries(
  ctx: Ctx,
  query: repo.DeliveryQuery,
): Promise<Page<WebhookDelivery>> {
  return repo.findDeliveries(ctx.db, ctx.session, query);
}

export async function getDelivery(ctx: Ctx, id: number): Promise<DeliveryDetail> {
  const row = await require(ctx, id);
  const list = await repo.findAttempts(ctx.db, row);
  const { uid, data, ...shown } = row;
  const { tenantSeq, happenedAt: at, type } = row;
  const body = tenantSeq === null ? null : bodyOf({ uid, at, type, tenantSeq, data });
  return { ...shown, body, list };
}

/** Replays under the same webhook-id, so that the receiver can deduplicate. */
export async function replayDelivery(ctx: Ctx, id: number): Promise<null> {
  const row = await require(ctx, id);
  const { tenantId, webhookId, purpose, endpointName, state } = row;
  // Lock the endpoint: a concurrent pause or deletion is either seen here or stops the replay.
  const endpoint = await lockEndpoint(ctx.db, ctx.session, row.endpointId);
  if (!endpoint) {
    refuse("STATE_NOT_ALLOWED", { what: "回调地址", state: "已删除", action: "重新推送" });
  }
  if (purpose !== "EVENT") refuse("CALLBACK_TEST_NOT_REPLAYABLE");
  requireOn(endpoint);
  const isReplayed = await repo.replayOne(ctx.db, row);
  if (!isReplayed) {
    const what = `回调 ${webhookId} `;
    refuse("STATE_NOT_ALLOWED", { what, state: deliveryStateText[state], action: "重新推送" });
  }
  ctx.audit({
    tenantId,
    target: `回调 ${webhookId} · ${endpointName}`,
    before: { state: deliveryStateText[state] },
    after: { state: deliveryStateText.WAITING },
  });
  await sendSoon(ctx, tenantId);
  return null;
}

const REPLAY = "按时间段重新推送回调";

type WindowBody = Input<typeof webhookContract.previewReplay>["body"];

export async function previewReplay(
  ctx: Ctx,
  body: WindowBody,
): Promise<Reply<typeof webhookContract.previewReplay>> {
  requireAllStores(ctx, REPLAY);
  const endpoint = await findEndpoint(ctx.db, ctx.session, body.endpointId);
  const window = windowOf(endpoint ?? refuse("NOT_FOUND", { what: "回调地址" }), body);
  const preview = await repo.previewWindow(ctx.db, window, MAX_REPLAY);
  return { ...preview, isTooMany: preview.count > MAX_REPLAY };
}

export async function replayWindow(
  ctx: Ctx,
  { reason, ...body }: WindowBody & { reason: string },
): Promise<{ count: number }> {
  const endpoint = await lock(ctx, body.endpointId);
  const window = windowOf(endpoint, body);
  const preview = await repo.previewWindow(ctx.db, window, MAX_REPLAY);
  if (preview.count > MAX_REPLAY) refuse("CALLBACK_REPLAY_TOO_LARGE", { max: MAX_REPLAY });
  const count = await repo.replayAll(ctx.db, window);
  const { tenantId, name } = endpoint;
  ctx.audit({
    tenantId,
    target: `回调地址 ${name}`,
    reason,
    after: {
      window: `${shanghaiMinute(body.from)} 至 ${shanghaiMinute(body.to)}`,
      kind: replayKindText[body.kind],
      count,
    },
  });
  await sendSoon(ctx, tenantId);
  return { count };
}

function windowOf(
  { tenantId, id, state, name }: Pick<EndpointRow, "tenantId" | "id" | "state" | "name">,
  { from, to, kind }: WindowBody,
): repo.ReplayWindow {
  if (Date.parse(to) < Date.parse(from)) refuse("DAYS_INVALID", { days: KEPT_DAYS });
  requireOn({ name, state });
  return { tenantId, endpointIds: [id], from, to, kind };
}

type AppReplay = (typeof openApiContract)["replayEvents"];

/** Replays an application's own events to its own enabled endpoints, at the request of the application itself. */
export async function replayAppEvents(
  db: Db,
  { tenantId, appId }: { tenantId: number; appId: number },
  { fromSeq, toSeq, kind, ...period }: Input<AppReplay>["body"],
): Promise<Reply<AppReplay>> {
  if (fromSeq === undefined && period.from === undefined) refuse("REPLAY_START_MISSING");
  requireSpan(period);
  if (fromSeq !== undefined && toSeq !== undefined && toSeq < fromSeq) refuse("SPAN_REVERSED");
  const endpointIds = await lockEndpointsOfApp(db, { tenantId, appId });
  if (endpointIds.length === 0) refuse("CALLBACK_ADDRESS_MISSING");
  const ofApp = {
    appId,
    ...(fromSeq !== undefined && { fromSeq }),
    ...(toSeq !== undefined && { toSeq }),
  };
  const window = { tenantId, endpointIds, kind, ...period, ofApp };
  const { count } = await repo.previewWindow(db, window, MAX_REPLAY);
  if (count > MAX_REPLAY) refuse("CALLBACK_REPLAY_TOO_LARGE", { max: MAX_REPLAY });
  const measured = await repo.measureWindow(db, window);
  const queued = await repo.replayAll(db, window);
  await sendSoon({ db }, tenantId);
  return { ...measured, queued };
}

/** Refuses a disabled endpoint: a replayed delivery would wait there unnoticed. */
function requireOn({ name, state }: Pick<EndpointRow, "name" | "state">): void {
  if (state !== "DISABLED") return;
  const what = `回调地址“${name}”`;
  refuse("STATE_NOT_ALLOWED", { what, state: "已停用", action: "重新推送：请先启用，再重新推送" });
}

async function require(ctx: Ctx, id: number): Promise<repo.DeliveryRow> {
  const found = await repo.findDelivery(ctx.db, ctx.session, id);
  return found ?? refuse("NOT_FOUND", { what: "回调记录" });
}

async function lock(ctx: Ctx, id: number): Promise<EndpointRow> {
  requireAllStores(ctx, REPLAY);
  const found = await lockEndpoint(ctx.db, ctx.session, id);
  return found ?? refuse("NOT_FOUND", { what: "回调地址" });
}

async function sendSoon(ctx: Pick<Ctx, "db">, tenantId: number): Promise<void> {
  await Promise.all([
    notify(ctx.db, "callback", null),
    pushLive(ctx.db, { tenantId, topic: "callback", cabinetId: null }),
  ]);
}
