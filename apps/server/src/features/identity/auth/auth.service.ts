// Signing in and out: captcha, backoff, password, session (promises A1–A5).
import { createHash, randomBytes } from "node:crypto";
import type { SignedIn } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { passwordWeakness } from "@cabinet/contract/identity/auth/password.rules.ts";
import {
  maskUnknownAccount,
  type SignInOutcome,
} from "@cabinet/contract/identity/login-log/login-log.rules.ts";
import { insertAuditEntry } from "../../../platform/audit.sql.ts";
import {
  type Ctx,
  type PrepareCtx,
  type PublicCtx,
  type Session,
  scopeOf,
} from "../../../platform/context.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { Refusal, refuse } from "../../../platform/errors.ts";
import type { Gatekeeper } from "../../../platform/http/http-access.ts";
import { recheckSessions } from "../../../platform/http/live.ts";
import {
  blockedSeconds,
  forgetFailures,
  recordFailure,
} from "../../../platform/limits/throttle.sql.ts";
import { type AccountRow, findAccount, updateLastSignIn, updatePassword } from "./account.sql.ts";
import { CAPTCHA_SECONDS } from "./auth.rules.ts";
import * as repo from "./auth.sql.ts";
import type { Captcha } from "./captcha.gate.ts";
import { hashPassword, verifyPassword } from "./password.crypto.ts";

const TOKEN_BYTES = 32;

/** Hashes a session token; only the hash is stored (promise A4). */
function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** A new random token, and the hash to store. */
export function makeToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token, tokenHash: hashToken(token) };
}

/** Finds the live session of a token hash, with its current rights; refuses an expired tenant. */
export async function findSessionOf(
  database: Database,
  tokenHash: Buffer,
  isActivity: boolean,
): Promise<Session | null> {
  const row = await repo.findSessionRow(database, tokenHash, isActivity);
  if (!row) return null;
  if (!row.tenantIsActive) refuse("TENANT_EXPIRED");
  return sessionOf(row, tokenHash);
}

function sessionOf(row: repo.SessionRow, tokenHash: Buffer): Session {
  return {
    tokenHash,
    operatorId: row.operatorId,
    tenantId: row.tenantId,
    username: row.username,
    displayName: row.displayName,
    userType: row.userType,
    mustChangePassword: row.mustChangePassword,
    permissions: new Set(row.permissions),
    isStoreBound: row.isStoreBound,
    homeTenantId: row.homeTenantId,
  };
}

export function createGatekeeper(database: Database): Gatekeeper {
  const shape = /^[\w-]{43}$/;
  return {
    findSession: async (token) =>
      shape.test(token) ? findSessionOf(database, hashToken(token), true) : null,
    async findLiveSession(token) {
      const row = await repo.findSessionRow(database, hashToken(token), false);
      if (!row?.tenantIsActive) return null;
      const session = sessionOf(row, hashToken(token));
      if (!session.isStoreBound) return { ...session, storeIds: null };
      const ids = await database.read(scopeOf(session), (db) =>
        repo.findVisibleStoreIds(db, session),
      );
      return { ...session, storeIds: new Set(ids) };
    },
    recordTenantMismatch: (session, claimed, origin) =>
      database.transaction({ tenantId: session.tenantId }, (db) =>
        insertAuditEntry(
          db,
          session,
          { call: "tenantId", summary: "拒绝：请求头中的租户与登录账号不一致" },
          origin,
          { after: { claimedTenantId: claimed.slice(0, 32) } },
        ),
      ),
  };
}

const loginCall = { call: "POST /auth/token/admin/login", summary: "登录" };

export async function login(
  ctx: PublicCtx,
  captcha: Captcha,
  { username, password }: { username: string; password: string },
): Promise<SignedIn | Refusal> {
  const { database, origin } = ctx;
  const accountKey = accountKeyOf(username);
  const keys = [accountKey, `address:${origin.network}`];
  const payload = ctx.headers["captcha-verification"];
  const challengeId = typeof payload === "string" ? await captcha.verify(payload) : null;
  if (!challengeId) refuse("CAPTCHA_INVALID");

  const account = await database.transaction("platform", async (db) => {
    if (!(await repo.useCaptcha(db, challengeId, CAPTCHA_SECONDS))) return "captcha-used";
    const found = await findAccount(db, username);
    const seconds = await blockedSeconds(db, keys);
    if (seconds === 0) return found;
    await logSignIn(db, found ?? username, "THROTTLED", origin);
    return new Refusal("SIGN_IN_THROTTLED", { seconds });
  });
  if (account === "captcha-used") refuse("CAPTCHA_INVALID");
  if (account instanceof Refusal) return account;

  const isRight = await verifyPassword(password, account?.passwordHash ?? null);
  const isWelcome = isRight && account !== null && !account.isDisabled;
  return database.transaction("platform", async (db) => {
    if (!isWelcome) {
      const outcome = isRight && account?.isDisabled ? "DISABLED" : "CREDENTIALS_WRONG";
      await logSignIn(db, account ?? username, outcome, origin);
      return await failed(db, keys);
    }
    // Concurrent guesses may have failed since the check before the password was compared.
    const seconds = await blockedSeconds(db, keys);
    if (seconds > 0) {
      await logSignIn(db, account, "THROTTLED", origin);
      return new Refusal("SIGN_IN_THROTTLED", { seconds });
    }
    if (!account.tenantIsActive) {
      await logSignIn(db, account, "TENANT_EXPIRED", origin);
      return new Refusal("TENANT_EXPIRED");
    }
    if (!(await updateLastSignIn(db, account))) {
      await logSignIn(db, account, "CREDENTIALS_WRONG", origin);
      return await failed(db, keys);
    }
    await forgetFailures(db, accountKey);
    await logSignIn(db, account, "SIGNED_IN", origin);
    await insertAuditEntry(db, account, loginCall, origin, { target: targetOf(account) });
    return openSession(db, account, origin);
  });
}

const targetOf = ({ username }: { username: string }) => `账号 ${username}`;

function logSignIn(
  db: Db,
  who: AccountRow | string,
  outcome: SignInOutcome,
  origin: Ctx["origin"],
): Promise<void> {
  const account = typeof who === "string" ? { username: maskUnknownAccount(who) } : who;
  return repo.insertLoginLog(db, { ...account, outcome }, origin);
}

/** Hashed, because people type passwords into the account field. */
export function accountKeyOf(username: string): string {
  return `account:${createHash("sha256").update(username.toLowerCase()).digest("base64url")}`;
}

async function failed(db: Db, keys: string[]): Promise<Refusal> {
  const seconds = await recordFailure(db, keys);
  return seconds > 0
    ? new Refusal("SIGN_IN_THROTTLED", { seconds })
    : new Refusal("CREDENTIALS_WRONG");
}

type Account = Pick<
  AccountRow,
  "tenantId" | "operatorId" | "username" | "userType" | "mustChangePassword"
>;

async function openSession(db: Db, account: Account, origin: Ctx["origin"]): Promise<SignedIn> {
  const { token, tokenHash } = makeToken();
  await repo.insertSession(db, account, tokenHash, origin);
  return {
    token,
    username: account.username,
    userType: account.userType,
    tenantId: account.tenantId,
    mustChangePassword: account.mustChangePassword,
  };
}

export async function logout(ctx: Ctx): Promise<null> {
  ctx.audit({ target: targetOf(ctx.session) });
  const { tokenHash, homeTenantId: tenantId, operatorId } = ctx.session;
  await repo.deleteSession(ctx.db, tokenHash);
  // Makes the other tabs, and impersonation sessions opened from this one, check their session.
  await recheckSessions(ctx.db, { tenantId, operatorId });
  return null;
}

interface PasswordChange {
  oldPassword: string;
  newPassword: string;
}

/**
 * Verifies and hashes outside the transaction, because both wait for an Argon2 slot; the update
 * compares the old hash again. Ends all sessions of the account and opens a new one.
 */
export async function prepareChange(
  { database, session }: PrepareCtx,
  { oldPassword, newPassword }: PasswordChange,
): Promise<(ctx: Ctx) => Promise<SignedIn | Refusal>> {
  const accountKey = accountKeyOf(session.username);
  const account = await database.read(scopeOf(session), async (db) => {
    await requireUnblocked(db, accountKey);
    return findAccount(db, session.username);
  });
  const isRight = await verifyPassword(oldPassword, account?.passwordHash ?? null);
  const why = passwordWeakness(newPassword, session.username);
  const isUnchanged = oldPassword === newPassword;
  const newHash = isRight && !why && !isUnchanged ? await hashPassword(newPassword) : null;
  return async (ctx) => {
    const { db, origin } = ctx;
    ctx.audit({ target: targetOf(session) });
    if (!account || !isRight) {
      const refusal = await failed(db, [accountKey]);
      return refusal.code === "CREDENTIALS_WRONG" ? new Refusal("OLD_PASSWORD_WRONG") : refusal;
    }
    // Concurrent guesses may have failed since the check in `read`.
    await requireUnblocked(db, accountKey);
    if (isUnchanged) refuse("PASSWORD_UNCHANGED");
    if (why) refuse("PASSWORD_WEAK", { why });
    const isChanged = newHash !== null && (await updatePassword(db, account, newHash));
    if (!isChanged) refuse("OLD_PASSWORD_WRONG");
    await repo.endSessionsOf(db, session);
    return openSession(db, { ...account, mustChangePassword: false }, origin);
  };
}

async function requireUnblocked(db: Db, key: string): Promise<void> {
  const seconds = await blockedSeconds(db, [key]);
  if (seconds > 0) refuse("SIGN_IN_THROTTLED", { seconds });
}
