// The calls about one's own account.
import { accountContract } from "@cabinet/contract/account/account.contract.ts";
import { mount } from "../../platform/mount.ts";
import {
  endOtherSessions,
  getPreference,
  getProfile,
  savePreference,
  saveProfile,
} from "./account.service.ts";

export const accountRoutes = mount(accountContract, {
  profile: (ctx) => getProfile(ctx),
  saveProfile: (ctx, { body }) => saveProfile(ctx, body),
  endOtherSessions: (ctx) => endOtherSessions(ctx),
  preference: (ctx) => getPreference(ctx),
  savePreference: (ctx, { body }) => savePreference(ctx, body),
});
