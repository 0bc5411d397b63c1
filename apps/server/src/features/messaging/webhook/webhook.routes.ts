// HTTP handlers for webhook endpoints and deliveries.
import { webhookContract } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  getDelivery,
  listDeliveries,
  previewReplay,
  replayDelivery,
  replayWindow,
} from "./delivery.service.ts";
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  tryEndpoint,
  updateEndpoint,
  type WebhookParts,
} from "./endpoint.service.ts";

export const webhookRoutes = (parts: WebhookParts) =>
  mount(webhookContract, {
    endpoints: (ctx, { query }) => listEndpoints(ctx, query),
    endpoint: (ctx, { params }) => getEndpoint(ctx, params.id),
    create: (ctx, { body }) => createEndpoint(ctx, parts, body),
    update: (ctx, { params, body }) => updateEndpoint(ctx, parts, params.id, body),
    enable: (ctx, { params }) => enableEndpoint(ctx, params.id),
    disable: (ctx, { params, body }) => disableEndpoint(ctx, params.id, body.reason),
    remove: (ctx, { params, query }) => deleteEndpoint(ctx, params.id, query.reason),
    rotate: (ctx, { params, body }) => rotateSecret(ctx, params.id, body),
    test: (ctx, { params }) => tryEndpoint(ctx, params.id, "TEST"),
    probe: (ctx, { params }) => tryEndpoint(ctx, params.id, "PROBE"),
    deliveries: (ctx, { query }) => listDeliveries(ctx, query),
    delivery: (ctx, { params }) => getDelivery(ctx, params.id),
    replay: (ctx, { params }) => replayDelivery(ctx, params.id),
    previewReplay: (ctx, { body }) => previewReplay(ctx, body),
    replayWindow: (ctx, { body }) => replayWindow(ctx, body),
  });
