// HTTP handlers for signing in and out.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { login, logout, makeCaptcha, type PrefetchHome, prepareChange } from "./auth.service.ts";
import type { Captcha } from "./captcha.gate.ts";

export function authRoutes(captcha: Captcha, prefetchHome: PrefetchHome) {
  return mount(authContract, {
    captcha: (ctx, { query }) => makeCaptcha(ctx, captcha, query.username),
    login: (ctx, { body }) => login(ctx, { captcha, prefetchHome }, body),
    logout: (ctx) => logout(ctx),
    changePassword: { prepare: (ctx, { body }) => prepareChange(ctx, body) },
  });
}
