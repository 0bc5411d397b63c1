// HTTP handlers of the app for cabinets and orders.
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import type { Captcha } from "../../identity/auth/index.ts";
import { getAppCabinet } from "./app-cabinet.service.ts";
import * as service from "./app-order.service.ts";

export const appOrderRoutes = (captcha: Captcha) =>
  mount(appOrderContract, {
    cabinet: (ctx, { params }) => getAppCabinet(ctx, params.sn),
    deposit: (ctx, { body }) => service.deposit(ctx, body),
    list: (ctx, { query }) => service.listMyOrders(ctx, query),
    get: (ctx, { params }) => service.getMyOrder(ctx, params.id),
    openAgain: (ctx, { params, query }) => service.openMine(ctx, params.id, "DEPOSIT", query),
    cancel: (ctx, { params }) => service.cancelMine(ctx, params.id),
    takeBack: (ctx, { params, body }) => service.openMine(ctx, params.id, "TAKE_BACK", body),
    pickup: (ctx, { params, body }) => service.openMine(ctx, params.id, "PICKUP", body),
    pay: (ctx, { params }) => service.payMine(ctx, params.id),
    pickupByCode: (ctx, { body }) => service.pickupByCode(ctx, captcha, body),
    opening: (ctx, { params }) => service.getOpening(ctx, params.id),
  });
