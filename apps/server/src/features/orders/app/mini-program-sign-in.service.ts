// Mini-program sign-in: WeChat proves the person's openid, and once, the phone.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { isPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { MINI_PROGRAM_SIGN_INS_PER_ADDRESS } from "@cabinet/contract/orders/app/app.rules.ts";
import type { PublicCtx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Refusal } from "../../../platform/errors.ts";
import { countAsk } from "../../../platform/limits/rate-limit.sql.ts";
import { blockedSeconds, recordFailure } from "../../../platform/limits/throttle.sql.ts";
import {
  type MiniPrograms,
  type OpenMiniProgram,
  reportTrouble,
  WechatRefusal,
} from "../../messaging/mini-program/index.ts";
import { bindMiniProgramUser, findMiniProgramUser, type SignedInUser } from "../end-user/index.ts";
import {
  beginSession,
  FAILURES_PER_ADDRESS,
  signInRateLimitKeys,
  signInUser,
} from "./app-session.service.ts";
import { findTenant, type TenantRow } from "./app-tenant.sql.ts";

type Body = Input<typeof appContract.signInByMiniProgram>["body"];
type Answer = Reply<typeof appContract.signInByMiniProgram>;

/** The identity confirmed by WeChat. */
interface Proven {
  openid: string;
  /** Null where no phone was requested. */
  phone: string | null;
}

export function createMiniProgramSignIn(miniPrograms: MiniPrograms) {
  return async function signIn(ctx: PublicCtx, body: Body): Promise<Answer | Refusal> {
    const { database, origin } = ctx;
    const { tenantId } = body;
    const seconds = await database.transaction({ tenantId }, (db) => secondsToWait(db, ctx));
    if (seconds > 0) return new Refusal("SIGN_IN_THROTTLED", { seconds });
    const opened = await miniPrograms.open(database, tenantId);
    if (!opened) return new Refusal("WECHAT_SIGN_IN_OFF");
    const proven = await prove(ctx, opened, body);
    if (proven instanceof Refusal) return proven;
    return database.transaction({ tenantId }, async (db) => {
      const tenant = await findTenant(db, tenantId);
      if (!tenant) return new Refusal("TENANT_EXPIRED");
      const user = await findUser(db, opened, tenant, proven);
      if (user) {
        const session = await beginSession(db, origin, tenant, user, body.agreed);
        return { session, isPhoneNeeded: false };
      }
      return proven.phone === null
        ? { session: null, isPhoneNeeded: true }
        : new Refusal("TENANT_CLOSED");
    });
  };
}

async function secondsToWait(db: Db, { origin }: PublicCtx): Promise<number> {
  const blocked = await blockedSeconds(db, signInRateLimitKeys(origin));
  if (blocked > 0) return blocked;
  return countAsk(db, `mini-program-address:${origin.network}`, MINI_PROGRAM_SIGN_INS_PER_ADDRESS);
}

/** Runs outside any transaction, because WeChat may take seconds. */
async function prove(
  ctx: PublicCtx,
  opened: OpenMiniProgram,
  { loginCode, phoneCode }: Body,
): Promise<Proven | Refusal> {
  let openid: string | null = null;
  try {
    openid = await opened.service.openidOf(loginCode);
    if (!phoneCode) return { openid, phone: null };
    const { countryCode, number } = await opened.service.phoneOf(phoneCode, openid);
    const isMainland = countryCode === "86" && number.length === 11 && isPhone(number);
    return isMainland ? { openid, phone: number } : new Refusal("PHONE_NOT_MAINLAND");
  } catch (error) {
    if (!(error instanceof WechatRefusal)) throw error;
    return openid === null
      ? refusalFor(ctx, opened, error, "WECHAT_CODE_WRONG")
      : refusalFor(ctx, opened, error, "PHONE_CODE_WRONG");
  }
}

/** A wrong code counts as a failure of the sender; a wrong setting is reported to the tenant. */
async function refusalFor(
  { database, origin, log }: PublicCtx,
  opened: OpenMiniProgram,
  error: WechatRefusal,
  wrongCode: "WECHAT_CODE_WRONG" | "PHONE_CODE_WRONG",
): Promise<Refusal> {
  const { tenantId } = opened.setting;
  if (error.trouble === "CODE") {
    const seconds = await database.transaction({ tenantId }, (db) =>
      recordFailure(db, signInRateLimitKeys(origin), FAILURES_PER_ADDRESS),
    );
    return seconds > 0 ? new Refusal("SIGN_IN_THROTTLED", { seconds }) : new Refusal(wrongCode);
  }
  if (error.trouble === "RISKY") return new Refusal("WECHAT_USER_RISKY");
  log.warn({ tenantId, reason: error.message }, "a sign-in by mini-program failed");
  if (error.trouble === "BUSY") return new Refusal("WECHAT_BUSY");
  await reportTrouble(database, opened, error);
  return new Refusal("WECHAT_SIGN_IN_OFF");
}

/** A newly verified phone takes precedence over the phone bound before. */
async function findUser(
  db: Db,
  { setting: { tenantId, appId } }: OpenMiniProgram,
  tenant: TenantRow,
  { openid, phone }: Proven,
): Promise<SignedInUser | null> {
  const at = { tenantId, appId, openid };
  if (phone === null) return findMiniProgramUser(db, at);
  const user = await signInUser(db, tenant, { tenantId, phone });
  if (user) await bindMiniProgramUser(db, at, user.id);
  return user;
}
