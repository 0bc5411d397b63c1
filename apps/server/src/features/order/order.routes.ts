// The calls about orders.
import { orderContract } from "@cabinet/contract/order/order.contract.ts";
import { mount } from "../../platform/mount.ts";
import { requireSpan } from "../../platform/span.ts";
import { getOrder, getTimeline, listOrders, showPhones } from "./order-read.service.ts";

export const orderRoutes = mount(orderContract, {
  list: (ctx, { query }) => {
    requireSpan(query);
    return listOrders(ctx, query);
  },
  get: (ctx, { params }) => getOrder(ctx, params.id),
  timeline: (ctx, { params }) => getTimeline(ctx, params.id),
  showPhones: (ctx, { params }) => showPhones(ctx, params.id),
});
