// HTTP handlers for one's own account.
import { accountContract } from "@cabinet/contract/identity/account/account.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  endOtherSessions,
  getPreference,
  getProfile,
  listSessions,
  listSignIns,
  savePreference,
  saveProfile,
} from "./account.service.ts";

export const accountRoutes = mount(accountContract, {
  profile: (ctx) => getProfile(ctx),
  saveProfile: (ctx, { body }) => saveProfile(ctx, body),
  sessions: (ctx) => listSessions(ctx),
  endOtherSessions: (ctx) => endOtherSessions(ctx),
  signIns: (ctx, { query }) => listSignIns(ctx, query),
  preference: (ctx) => getPreference(ctx),
  savePreference: (ctx, { body }) => savePreference(ctx, body),
});
