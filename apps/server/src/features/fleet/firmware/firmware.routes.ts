// Routes of firmware.
import { firmwareContract } from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  createFirmware,
  releaseFirmware,
  removeFirmware,
  saveMakerKey,
  updateFirmware,
  uploadFirmware,
  withdrawFirmware,
} from "./firmware.service.ts";
import { findFirmware, findMakerKeys } from "./firmware.sql.ts";

export const firmwareRoutes = mount(firmwareContract, {
  list: (ctx, { query }) => findFirmware(ctx.db, ctx.session, query, true),
  released: (ctx, { query }) => findFirmware(ctx.db, ctx.session, query, false),
  upload: (ctx, { body }) => uploadFirmware(ctx, body.file),
  create: (ctx, { body }) => createFirmware(ctx, body),
  update: (ctx, { params, body }) => updateFirmware(ctx, params.id, body),
  release: (ctx, { params }) => releaseFirmware(ctx, params.id),
  withdraw: (ctx, { params, body }) => withdrawFirmware(ctx, params.id, body.reason),
  remove: (ctx, { params }) => removeFirmware(ctx, params.id),
  makerKeys: (ctx) => findMakerKeys(ctx.db),
  saveMakerKey: (ctx, { params, body }) => saveMakerKey(ctx, params.modelId, body),
});
