// App sign-in: a code by text message, and a session whose token is stored as a hash only.
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type {
  AppSession,
  AppUser,
  appContract,
} from "@cabinet/contract/orders/app/app.contract.ts";
import {
  APP_SESSION_SECONDS,
  CODES_PER_ADDRESS,
  CODES_PER_PHONE,
  SIGN_IN_CODE_FAILURES,
  SIGN_IN_CODE_MINUTES,
} from "@cabinet/contract/orders/app/app.rules.ts";
import type { Agreed } from "@cabinet/contract/orders/legal-text/legal-text.ts";
import { hashToken, makeToken, Tokens } from "../../../platform/access-token.ts";
import type { AppCtx, Origin, PublicCtx } from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { Refusal, refuse } from "../../../platform/errors.ts";
import type { AppGatekeeper } from "../../../platform/http/http-access.ts";
import { countAsk } from "../../../platform/limits/rate-limit.sql.ts";
import { blockedSeconds, recordFailure } from "../../../platform/limits/throttle.sql.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { type Captcha, useOnce } from "../../identity/auth/index.ts";
import { sendMessage } from "../../messaging/template/index.ts";
import { findCodesPerHour } from "../../organization/tenant-setting/index.ts";
import {
  type CodeRequest,
  countCodeFailure,
  deleteAppSession,
  deleteCode,
  ensureSignedInUser,
  findAppSession,
  findSignedInUser,
  insertAppSession,
  insertCode,
  isKnownPhone,
  lockCode,
  type SignedInUser,
} from "../end-user/index.ts";
import { findConsents, insertConsents } from "../legal-text/index.ts";
import { accountStatusOf, noticeOf } from "./account-status.gate.ts";
import { findTenant, type TenantRow } from "./app-tenant.sql.ts";

export function createAppGatekeeper(database: Database): AppGatekeeper {
  const tokens = new Tokens(database, "appSession");
  return {
    async findEndUser(token, origin) {
      const found = await tokens.look(token, origin, findAppSession);
      if (!found) return null;
      const { row, tokenHash } = found;
      if (row.tenantIsDeleted) refuse("TENANT_EXPIRED");
      const { endUserId, tenantId, phone, name } = row;
      const accountStatus = accountStatusOf({
        isLocked: row.isLocked,
        lockedUntil: row.lockedUntil,
        isTenantOpen: row.tenantIsActive,
      });
      return { tokenHash, endUserId, tenantId, phone, name, ...accountStatus };
    },
  };
}

const HOUR_SECONDS = 3_600;
const REQUEST_TOKEN_BYTES = 16;

function hashCode(
  vault: Vault,
  { requestHash, tenantId, phone }: CodeRequest,
  code: string,
): Buffer {
  const text = `${requestHash.toString("base64url")}/${tenantId}/${phone}/${code}`;
  return createHmac("sha256", vault.derive("sign-in-code")).update(text).digest();
}

/** Answers the same for every phone; rate limits are checked before the phone is looked up. */
export async function requestCode(
  { database, origin, headers }: PublicCtx,
  captcha: Captcha,
  { tenantId, phone }: Input<typeof appContract.requestCode>["body"],
): Promise<Reply<typeof appContract.requestCode> | Refusal> {
  const solved = await captcha.solvedBy(headers);
  return database.transaction({ tenantId }, async (db) => {
    await useOnce(db, solved);
    const waits = [
      await countAsk(db, `code-address:${origin.network}`, CODES_PER_ADDRESS),
      await countAsk(db, `code-phone:${tenantId}:${hashPhone(phone)}`, CODES_PER_PHONE),
    ];
    const seconds = Math.max(...waits);
    if (seconds > 0) return new Refusal("CODE_THROTTLED", { seconds });
    // Bounds the loss of a tenant to an attacker with many addresses and phones.
    const ofTenant = { max: await findCodesPerHour(db, tenantId), seconds: HOUR_SECONDS };
    const rest = await countAsk(db, `code-tenant:${tenantId}`, [ofTenant]);
    if (rest > 0) return new Refusal("CODES_USED_UP", { seconds: rest });
    const requestToken = randomBytes(REQUEST_TOKEN_BYTES).toString("base64url");
    const tenant = await findTenant(db, tenantId);
    if (tenant?.isOpen || (tenant && (await isKnownPhone(db, { tenantId, phone })))) {
      const code = String(randomInt(1_000_000)).padStart(6, "0");
      const request = { requestHash: hashToken(requestToken), tenantId, phone };
      await insertCode(db, request, hashCode(database.vault, request, code), SIGN_IN_CODE_MINUTES);
      await sendMessage(db, {
        ...{ tenantId, scene: "SIGN_IN_CODE", side: null, phone, endUserId: null },
        facts: { code, minutes: SIGN_IN_CODE_MINUTES },
      });
    }
    return {
      requestToken,
      validSeconds: SIGN_IN_CODE_MINUTES * 60,
      againSeconds: CODES_PER_PHONE[0]?.seconds ?? 0,
    };
  });
}

export async function signIn(
  { database, origin }: PublicCtx,
  { tenantId, phone, code, requestToken, agreed }: Input<typeof appContract.signIn>["body"],
): Promise<Reply<typeof appContract.signIn> | Refusal> {
  const rateLimitKeys = signInRateLimitKeys(origin);
  const request = { requestHash: hashToken(requestToken), tenantId, phone };
  const given = hashCode(database.vault, request, code);
  return database.transaction({ tenantId }, async (db) => {
    const seconds = await blockedSeconds(db, rateLimitKeys);
    if (seconds > 0) return new Refusal("SIGN_IN_THROTTLED", { seconds });
    const sent = await lockCode(db, request);
    const isRight =
      timingSafeEqual(sent?.codeHash ?? Buffer.alloc(given.length), given) &&
      sent !== null &&
      sent.failures < SIGN_IN_CODE_FAILURES;
    if (!isRight) {
      await countCodeFailure(db, request);
      const blocked = await recordFailure(db, rateLimitKeys, FAILURES_PER_ADDRESS);
      return blocked > 0
        ? new Refusal("SIGN_IN_THROTTLED", { seconds: blocked })
        : new Refusal("SIGN_IN_CODE_WRONG");
    }
    await deleteCode(db, request);
    const tenant = await findTenant(db, tenantId);
    if (!tenant) return new Refusal("TENANT_EXPIRED");
    const user = await signInUser(db, tenant, { tenantId, phone });
    return user ? beginSession(db, origin, tenant, user, agreed) : new Refusal("TENANT_CLOSED");
  });
}

/**
 * The user with this verified phone; null where a closed tenant would have to register a new one.
 */
export function signInUser(
  db: Db,
  tenant: TenantRow,
  at: { tenantId: number; phone: string },
): Promise<SignedInUser | null> {
  return tenant.isOpen ? ensureSignedInUser(db, at) : findSignedInUser(db, at);
}

/** Opens a session for a verified user. Locked users too: they may take out their goods. */
export async function beginSession(
  db: Db,
  origin: Origin,
  tenant: TenantRow,
  { id: endUserId, phone, name, isLocked, lockedUntil }: SignedInUser,
  agreed: Agreed = [],
): Promise<AppSession> {
  const { token, tokenHash } = makeToken(db.vault, "appSession");
  const session = { tenantId: tenant.id, endUserId, tokenHash };
  await insertAppSession(db, session, APP_SESSION_SECONDS, origin);
  await insertConsents(db, session, agreed);
  const user = {
    ...{ endUserId, tenantId: tenant.id, tenantName: tenant.name },
    ...{ phone: maskPhone(phone), name },
    notice: noticeOf(accountStatusOf({ isLocked, lockedUntil, isTenantOpen: tenant.isOpen })),
    legal: await findConsents(db, session),
  };
  return { token, expiresInSeconds: APP_SESSION_SECONDS, user };
}

/** Failures of every sign-in method count together. */
export const signInRateLimitKeys = (origin: Origin) => [`app-sign-in-address:${origin.network}`];

/**
 * Higher than for accounts: many people may share one address, such as that of a mobile network.
 */
export const FAILURES_PER_ADDRESS = 20;

/** Rate limits are counted by phone; the hash keeps the number itself out of that table. */
function hashPhone(phone: string): string {
  return createHash("sha256").update(phone).digest("base64url");
}

export async function signOut({ db, user }: AppCtx): Promise<null> {
  await deleteAppSession(db, user);
  return null;
}

export async function me({ db, user }: AppCtx): Promise<AppUser> {
  const tenant = await findTenant(db, user.tenantId);
  const { endUserId, tenantId, phone, name } = user;
  return {
    endUserId,
    tenantId,
    tenantName: tenant?.name ?? "",
    phone: maskPhone(phone),
    name,
    notice: noticeOf(user),
    legal: await findConsents(db, user),
  };
}

export async function agree(
  { db, user }: AppCtx,
  { agreed }: Input<typeof appContract.agree>["body"],
): Promise<Reply<typeof appContract.agree>> {
  await insertConsents(db, user, agreed);
  return { legal: await findConsents(db, user) };
}
