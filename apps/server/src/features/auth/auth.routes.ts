// The calls of signing in and out.
import { authContract } from "@cabinet/contract/auth/auth.contract.ts";
import { mount } from "../../platform/mount.ts";
import { changePassword, login, logout } from "./auth.service.ts";
import type { Captcha } from "./captcha.ts";

export function authRoutes(captcha: Captcha) {
  return mount(authContract, {
    captcha: async () => ({ ...(await captcha.create()) }) as never,
    login: (ctx, { body }) => login(ctx, captcha, body),
    logout: (ctx) => logout(ctx),
    changePassword: (ctx, { body }) => changePassword(ctx, body),
  });
}
