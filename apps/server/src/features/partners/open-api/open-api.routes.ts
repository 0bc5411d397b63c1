// Routes of the open API, and of its management in the console.
import { businessOrderContract } from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import { openAppContract } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import { openCallContract } from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { replayAppEvents } from "../../messaging/webhook/index.ts";
import { listBusinessOrders } from "./business-order.service.ts";
import * as app from "./open-app.service.ts";
import { getOpenCall, listOpenCalls } from "./open-call.service.ts";
import { issueKey, revokeKey } from "./open-key.service.ts";
import * as order from "./open-order.service.ts";
import { debugSignature } from "./signature-debug.service.ts";

export const openApiRoutes = [
  ...mount(openApiContract, {
    whoAmI: (ctx) => order.whoAmI(ctx),
    createOrder: (ctx, { body }) => order.createOrder(ctx, body),
    findOrder: (ctx, { query }) => order.getOrder(ctx, query),
    order: (ctx, { params }) => order.getOrder(ctx, params),
    orders: (ctx, { query }) => order.listOrders(ctx, query),
    events: (ctx, { query }) => order.listEvents(ctx, query),
    replayEvents: (ctx, { body }) => replayAppEvents(ctx.db, ctx.partner, body),
    cancelOrder: (ctx, { params }) => order.cancel(ctx, params.id),
    openDoor: (ctx, { params, body }) => order.openDoor(ctx, params.id, body),
    resendCode: (ctx, { params }) => order.resend(ctx, params.id),
    opening: (ctx, { params }) => order.getOpening(ctx, params.id),
    cabinets: (ctx, { query }) => order.listCabinets(ctx, query),
    cabinet: (ctx, { params }) => order.getCabinet(ctx, params.sn),
  }),
  ...mount(openAppContract, {
    list: (ctx, { query }) => app.listApps(ctx, query),
    options: (ctx, { query }) => app.listAppOptions(ctx, query.tenantId),
    create: (ctx, { body }) => app.createApp(ctx, body),
    update: (ctx, { params, body }) => app.updateApp(ctx, params.id, body),
    disable: (ctx, { params, body }) => app.disableApp(ctx, params.id, body.reason),
    enable: (ctx, { params }) => app.enableApp(ctx, params.id),
    issue: (ctx, { params, body }) => issueKey(ctx, params.id, body.overlapHours),
    revoke: (ctx, { params, body }) => revokeKey(ctx, params.id, body),
    debug: (ctx, { body }) => debugSignature(ctx, body),
  }),
  ...mount(openCallContract, {
    list: (ctx, { query }) => listOpenCalls(ctx, query),
    get: (ctx, { params }) => getOpenCall(ctx, params.id),
  }),
  ...mount(businessOrderContract, {
    list: (ctx, { query }) => listBusinessOrders(ctx, query),
  }),
];
