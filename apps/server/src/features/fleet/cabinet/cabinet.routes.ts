// HTTP handlers for cabinets.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  assignStore,
  changeLifecycle,
  getCabinet,
  pushConfig,
  syncConfig,
} from "./cabinet.service.ts";
import { editCabinet } from "./cabinet-edit.service.ts";
import { countCabinets, findCabinets } from "./cabinet-list.sql.ts";

export const cabinetRoutes = mount(cabinetContract, {
  statistics: (ctx, { query }) => countCabinets(ctx.db, ctx.session, query),
  list: (ctx, { query }) => findCabinets(ctx.db, ctx.session, query),
  get: (ctx, { params }) => getCabinet(ctx, params.id),
  pause: (ctx, { params, body }) => changeLifecycle(ctx, "pause", params.id, body.reason),
  resume: (ctx, { params, body }) => changeLifecycle(ctx, "resume", params.id, body.reason),
  update: (ctx, { params, body }) => editCabinet(ctx, params.id, body),
  retire: (ctx, { params, body }) => changeLifecycle(ctx, "retire", params.id, body.reason),
  assignStore: (ctx, { body }) => assignStore(ctx, body),
  pushConfig: (ctx, { body }) => pushConfig(ctx, body),
  syncConfig: (ctx, { params }) => syncConfig(ctx, params.id),
});
