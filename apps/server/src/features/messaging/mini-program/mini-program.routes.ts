// Routes for the mini-program setting.
import { miniProgramContract } from "@cabinet/contract/messaging/mini-program/mini-program.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { askToCheck, getSetting, saveSetting } from "./mini-program-setting.service.ts";

export const miniProgramRoutes = mount(miniProgramContract, {
  setting: (ctx, { query }) => getSetting(ctx, query.tenantId),
  saveSetting: (ctx, { body }) => saveSetting(ctx, body),
  checkSetting: (ctx, { body }) => askToCheck(ctx, body.tenantId),
});
