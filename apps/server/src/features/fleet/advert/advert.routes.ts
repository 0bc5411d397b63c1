// HTTP handlers for adverts.
import { advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  createAdvert,
  deleteAdvert,
  getAdvert,
  getAdvertFile,
  moveAdvert,
  putOn,
  retryAdvert,
  takeOff,
  updateAdvert,
  uploadAdvertFile,
} from "./advert.service.ts";
import { findAdverts, findDownloads } from "./advert.sql.ts";

export const advertRoutes = mount(advertContract, {
  list: (ctx, { query }) => findAdverts(ctx.db, ctx.session, query),
  get: (ctx, { params }) => getAdvert(ctx, params.id),
  upload: (ctx, { body }) => uploadAdvertFile(ctx, body),
  file: (ctx, { params }) => getAdvertFile(ctx, params.fileId),
  create: (ctx, { body }) => createAdvert(ctx, body),
  update: (ctx, { params, body }) => updateAdvert(ctx, params.id, body),
  putOn: (ctx, { params }) => putOn(ctx, params.id),
  takeOff: (ctx, { params }) => takeOff(ctx, params.id),
  delete: (ctx, { params }) => deleteAdvert(ctx, params.id),
  order: (ctx, { params, body }) => moveAdvert(ctx, params.id, body.step),
  downloads: async (ctx, { params, query }) => {
    await getAdvert(ctx, params.id);
    return findDownloads(ctx.db, ctx.session, params.id, query);
  },
  retry: (ctx, { params }) => retryAdvert(ctx, params.id),
});
