// HTTP routes of orders.
import { affectedOrderContract } from "@cabinet/contract/orders/order/affected-order.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { mount } from "../../../platform/http/mount.ts";
import { listAffected, notifyAffected } from "./notify/affected-order.service.ts";
import { isIndexedFirstPage } from "./read/order-list.sql.ts";
import {
  getOrder,
  getTimeline,
  listOrders,
  showCode,
  showPhones,
  sumOfOrders,
} from "./read/order-read.service.ts";
import { openByOperator, orderActions } from "./transitions/order-console.service.ts";

export const orderRoutes = mount(orderContract, {
  list: {
    keepsPlan: ({ query }) => isIndexedFirstPage(query),
    handle: (ctx, { query }) => {
      requireSpan(query);
      return listOrders(ctx, query);
    },
  },
  sums: (ctx, { query }) => {
    requireSpan(query);
    return sumOfOrders(ctx, query);
  },
  get: (ctx, { params }) => getOrder(ctx, params.id),
  timeline: (ctx, { params }) => getTimeline(ctx, params.id),
  showPhones: (ctx, { params, body }) => showPhones(ctx, params.id, body.reason),
  showCode: (ctx, { params, body }) => showCode(ctx, params.id, body.reason),
});

export const orderActionRoutes = mount(orderActionContract, {
  open: (ctx, { params, body }) => openByOperator(ctx, params.id, body),
  decideOpening: (ctx, { params, body }) => orderActions.decideOpening(ctx, params.id, body),
  resendCode: (ctx, { params, body }) => orderActions.resendCode(ctx, params.id, body),
  extend: (ctx, { params, body }) => orderActions.extend(ctx, params.id, body),
  complete: (ctx, { params, body }) => orderActions.complete(ctx, params.id, body),
  cancel: (ctx, { params, body }) => orderActions.cancel(ctx, params.id, body),
  refund: (ctx, { params, body }) => orderActions.refund(ctx, params.id, body),
  markException: (ctx, { params, body }) => orderActions.markException(ctx, params.id, body),
});

export const affectedOrderRoutes = mount(affectedOrderContract, {
  list: (ctx, { params, query }) => listAffected(ctx, params.id, query),
  notify: (ctx, { params }) => notifyAffected(ctx, params.id),
});
