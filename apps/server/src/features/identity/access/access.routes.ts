// HTTP handlers for menus.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import * as service from "./access.service.ts";
import { findMenuUse } from "./access.sql.ts";

export const accessRoutes = mount(accessContract, {
  menu: (ctx) => service.grantedMenu(ctx),
  menuTree: (ctx) => service.menuTree(ctx),
  menuUse: (ctx) => findMenuUse(ctx.db),
  createMenuEntry: (ctx, { body }) => service.createMenuEntry(ctx, body),
  updateMenuEntry: (ctx, { params, body }) => service.updateMenuEntry(ctx, params.id, body),
  deleteMenuEntry: (ctx, { params }) => service.deleteMenuEntry(ctx, params.id),
});
