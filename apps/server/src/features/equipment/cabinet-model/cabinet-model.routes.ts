// HTTP handlers for cabinet models.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  createCabinetModel,
  deleteCabinetModel,
  getCabinetModel,
  updateCabinetModel,
} from "./cabinet-model.service.ts";
import { findCabinetModelOptions, findCabinetModels } from "./cabinet-model.sql.ts";

export const cabinetModelRoutes = mount(cabinetModelContract, {
  options: (ctx) => findCabinetModelOptions(ctx.db),
  list: (ctx, { query }) => findCabinetModels(ctx.db, ctx.session, query),
  get: (ctx, { params }) => getCabinetModel(ctx, params.id),
  create: (ctx, { body }) => createCabinetModel(ctx, body),
  update: (ctx, { params, body }) => updateCabinetModel(ctx, params.id, body),
  delete: (ctx, { params }) => deleteCabinetModel(ctx, params.id),
});
