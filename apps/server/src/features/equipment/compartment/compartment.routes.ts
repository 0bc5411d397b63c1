// HTTP handlers for compartments.
import { compartmentContract } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  changeAdminState,
  clearCompartment,
  listCompartments,
  listEvents,
} from "./compartment.service.ts";
import { saveStockAudit } from "./stock-audit.service.ts";

export const compartmentRoutes = mount(compartmentContract, {
  list: (ctx, { params }) => listCompartments(ctx, params.id),
  events: (ctx, { params }) => listEvents(ctx, params),
  enable: (ctx, { params, body }) => changeAdminState(ctx, "enable", params, body.reason),
  disable: (ctx, { params, body }) => changeAdminState(ctx, "disable", params, body.reason),
  markFault: (ctx, { params, body }) => changeAdminState(ctx, "markFault", params, body.reason),
  clear: (ctx, { params, body }) => clearCompartment(ctx, params, body.reason),
  saveStockAudit: (ctx, { params, body }) => saveStockAudit(ctx, params.id, body.findings),
});
