// HTTP handlers for the cabinet event log.
import { cabinetEventContract } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { getPresence, listEvents } from "./cabinet-event.service.ts";

export const cabinetEventRoutes = mount(cabinetEventContract, {
  list: (ctx, { query }) => listEvents(ctx, query),
  presence: (ctx, { params, query }) => getPresence(ctx, params.id, query.hours),
});
