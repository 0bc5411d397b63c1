// HTTP handlers for commands.
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { mount } from "../../../platform/http/mount.ts";
import { openCompartment, restartCabinet } from "./command.service.ts";
import { findCommand, findCommands } from "./command.sql.ts";
import { findFrames } from "./frame.sql.ts";

export const commandRoutes = mount(commandContract, {
  open: (ctx, { params, body }) => openCompartment(ctx, { cabinetId: params.id, ...body }),
  restart: (ctx, { params, body }) => restartCabinet(ctx, { cabinetId: params.id, ...body }),
  get: async (ctx, { params }) =>
    (await findCommand(ctx.db, ctx.session, params.id)) ?? refuse("NOT_FOUND", { what: "指令" }),
  frames: async (ctx, { params }) =>
    (await findFrames(ctx.db, ctx.session, params.id)) ?? refuse("NOT_FOUND", { what: "指令" }),
  list: (ctx, { query }) => {
    requireSpan(query);
    return findCommands(ctx.db, ctx.session, query);
  },
});
