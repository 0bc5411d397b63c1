// Routes of the stock of new devices.
import { deviceStockContract } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import * as service from "./device-stock.service.ts";
import { findBatches, findStock } from "./device-stock.sql.ts";
import { importLines } from "./stock-import.service.ts";

export const deviceStockRoutes = mount(deviceStockContract, {
  list: (ctx, { query }) => findStock(ctx.db, query),
  history: (ctx, { params }) => service.listEvents(ctx, params.id),
  batches: (ctx) => findBatches(ctx.db),
  add: (ctx, { body }) => service.addDevice(ctx, body),
  importLines: (ctx, { body }) => importLines(ctx, body),
  change: (ctx, { params, body }) => service.changeDevice(ctx, params.id, body),
  assign: (ctx, { body }) => service.assignTenant(ctx, body),
  recall: (ctx, { body }) => service.recallDevices(ctx, body),
  renewCodes: (ctx, { body }) => service.renewCodes(ctx, body),
  scrap: (ctx, { body }) => service.scrapDevices(ctx, body),
  remove: (ctx, { params, query }) => service.removeDevice(ctx, params.id, query.reason),
});
