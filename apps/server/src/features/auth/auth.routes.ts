// HTTP handlers for signing in and out.
import { authContract } from "@cabinet/contract/auth/auth.contract.ts";
import { mount } from "../../platform/mount.ts";
import { login, logout, prepareChange } from "./auth.service.ts";
import type { Captcha } from "./captcha.ts";

export function authRoutes(captcha: Captcha) {
  return mount(authContract, {
    captcha: async () => ({ ...(await captcha.create()) }) as never,
    login: (ctx, { body }) => login(ctx, captcha, body),
    logout: (ctx) => logout(ctx),
    changePassword: { prepare: (ctx, { body }) => prepareChange(ctx, body) },
  });
}
