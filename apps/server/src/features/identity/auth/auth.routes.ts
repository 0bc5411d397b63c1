// HTTP handlers for signing in and out.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { login, logout, makeCaptcha, prepareChange } from "./auth.service.ts";
import type { Captcha } from "./captcha.gate.ts";

export function authRoutes(captcha: Captcha) {
  return mount(authContract, {
    captcha: (ctx, { query }) => makeCaptcha(ctx, captcha, query.username),
    login: (ctx, { body }) => login(ctx, captcha, body),
    logout: (ctx) => logout(ctx),
    changePassword: { prepare: (ctx, { body }) => prepareChange(ctx, body) },
  });
}
