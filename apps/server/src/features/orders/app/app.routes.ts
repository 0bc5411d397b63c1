// HTTP handlers of the app for sign-in and the own account.
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { MiniPrograms } from "../../messaging/mini-program/index.ts";
import { createAppSignIn, me, signOut } from "./app-session.service.ts";
import { createMiniProgramSignIn } from "./mini-program-sign-in.service.ts";

export function appRoutes(vault: Vault, miniPrograms = new MiniPrograms(vault)) {
  const signInByMiniProgram = createMiniProgramSignIn(miniPrograms);
  const { requestCode, signIn } = createAppSignIn(vault);
  return mount(appContract, {
    requestCode: (ctx, { body }) => requestCode(ctx, body),
    signIn: (ctx, { body }) => signIn(ctx, body),
    signInByMiniProgram: (ctx, { body }) => signInByMiniProgram(ctx, body),
    signOut,
    me,
  });
}
