// HTTP handlers of the app for sign-in and the own account.
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import type { Captcha } from "../../identity/auth/index.ts";
import { MiniPrograms } from "../../messaging/mini-program/index.ts";
import { closeAccount } from "../end-user/index.ts";
import { agree, me, requestCode, signIn, signOut } from "./app-session.service.ts";
import { createMiniProgramSignIn } from "./mini-program-sign-in.service.ts";

export function appRoutes(captcha: Captcha, miniPrograms = new MiniPrograms()) {
  const signInByMiniProgram = createMiniProgramSignIn(miniPrograms);
  return mount(appContract, {
    requestCode: (ctx, { body }) => requestCode(ctx, captcha, body),
    signIn: (ctx, { body }) => signIn(ctx, body),
    signInByMiniProgram: (ctx, { body }) => signInByMiniProgram(ctx, body),
    signOut,
    close: closeAccount,
    me,
    agree: (ctx, { body }) => agree(ctx, body),
  });
}
