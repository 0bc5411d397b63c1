// Signing in and out: captcha, backoff, password, session (promises A1–A5).
import type {
  authContract,
  Prefetched,
  SignedIn,
} from "@cabinet/contract/identity/auth/auth.contract.ts";
import {
  maskUnknownAccount,
  type SignInOutcome,
} from "@cabinet/contract/identity/login-log/login-log.rules.ts";
import type { SecondStep } from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { permissionsWithout } from "@cabinet/contract/vocabulary/feature.rules.ts";
import { hashToken, makeToken, Tokens } from "../../../platform/access-token.ts";
import { signatureOf } from "../../../platform/actor.ts";
import { insertAuditEntry } from "../../../platform/audit.sql.ts";
import {
  type Ctx,
  type PrepareCtx,
  type PublicCtx,
  type Session,
  scopeOf,
  shareOfSession,
} from "../../../platform/context.ts";
import { shareOfStranger } from "../../../platform/db/admission.rules.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { Refusal, refuse } from "../../../platform/errors.ts";
import {
  type Gatekeeper,
  type RecalledSession,
  requireRecentProof,
} from "../../../platform/http/http-access.ts";
import { recheckSessions } from "../../../platform/http/live.ts";
import { forgetFailures } from "../../../platform/limits/throttle.sql.ts";
import { type AccountRow, findAccount, updateLastSignIn, updatePassword } from "./account.sql.ts";
import { type FactorFacts, isFactorDemanded, MOST_SESSIONS } from "./auth.rules.ts";
import * as repo from "./auth.sql.ts";
import { type Captcha, costOf, useOnce } from "./captcha.gate.ts";
import { hashPassword, verifyPassword } from "./password.crypto.ts";
import { weaknessOf } from "./password-strength.gate.ts";
import {
  accountKeyOf,
  countWrong,
  deviceOf,
  levelOf,
  makeDeviceId,
  makeDeviceToken,
  refusalOf,
  type Tries,
  triesOf,
  triesOfSession,
} from "./sign-in-limits.gate.ts";

/** Sessions that a process recalls: some 20 KB each. */
const MOST_RECALLED = 1_000;

/** Finds the live session of a token hash, with its current rights; refuses an expired tenant. */
export async function findSessionOf(
  database: Database,
  tokenHash: Buffer,
  isActivity: boolean,
): Promise<Session | null> {
  const found = await findFacts(database, tokenHash, isActivity);
  return found?.session ?? null;
}

async function findFacts(database: Database, tokenHash: Buffer, isActivity: boolean) {
  const row = await repo.findSessionRow(database, tokenHash, isActivity);
  if (!row) return null;
  if (!row.tenantIsActive) refuse("TENANT_EXPIRED");
  return { session: sessionOf(row, tokenHash), facts: row.facts };
}

function sessionOf(row: repo.SessionRow, tokenHash: Buffer): Session {
  return {
    tokenHash,
    operatorId: row.operatorId,
    tenantId: row.tenantId,
    username: row.username,
    displayName: row.displayName,
    signature: signatureOf(row),
    userType: row.userType,
    mustChangePassword: row.mustChangePassword,
    secondStep: secondStepOf(row, row.isProven),
    isProvenRecently: row.isProvenRecently,
    permissions: new Set(permissionsWithout(row.permissions, row.offFeatures)),
    offFeatures: row.offFeatures,
    isStoreBound: row.isStoreBound,
    homeTenantId: row.homeTenantId,
  };
}

function secondStepOf(
  account: FactorFacts & Pick<AccountRow, "hasSecondFactor">,
  isProven: boolean,
): SecondStep | null {
  if (account.hasSecondFactor) return isProven ? null : "DUE";
  return isFactorDemanded(account) ? "MISSING" : null;
}

export function createGatekeeper(database: Database): Gatekeeper {
  const tokens = new Tokens(database, "session");
  /** By token hash, the oldest first. */
  const known = new Map<string, Omit<RecalledSession, "check">>();
  return {
    recallSession(token) {
      const tokenHash = hashToken(token);
      const found = known.get(tokenHash.toString("base64"));
      return found ? { ...found, check: repo.checkSessionSql(tokenHash) } : null;
    },
    async findSession(token, origin) {
      const key = hashToken(token).toString("base64");
      known.delete(key);
      const found = await tokens.look(token, origin, (from, hash) => findFacts(from, hash, true));
      if (!found) return null;
      known.set(key, found.row);
      const [oldest = key] = known.keys();
      if (known.size > MOST_RECALLED) known.delete(oldest);
      return found.row.session;
    },
    async findLiveSession(token) {
      const tokenHash = hashToken(token);
      const row = await repo.findSessionRow(database, tokenHash, false);
      if (!row?.tenantIsActive) return null;
      const session = sessionOf(row, tokenHash);
      if (session.secondStep) return null;
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

/** The level of an account is no secret: unknown accounts are counted alike. */
export async function makeCaptcha(
  { database }: PublicCtx,
  captcha: Captcha,
  username: string | undefined,
): Promise<Reply<typeof authContract.captcha>> {
  const level =
    username === undefined ? 0 : await database.read("platform", (db) => levelOf(db, username));
  return captcha.create(level) as never;
}

const loginCall = { call: "POST /auth/token/admin/login", summary: "登录" };

type LoginBody = Input<typeof authContract.login>["body"];

/** Requests what 首页 shows first with a new session; null if that fails or takes too long. */
export type PrefetchHome = (
  session: Pick<SignedIn, "token" | "tenantId">,
  day: string,
  ctx: Pick<PublicCtx, "origin" | "log">,
) => Promise<Prefetched | null>;

/** Signs in; an account that may open 首页 at once also gets its answers, if the console wants them. */
export async function login(
  ctx: PublicCtx,
  { captcha, prefetchHome }: { captcha: Captcha; prefetchHome: PrefetchHome },
  { homeDay, ...credentials }: LoginBody,
): Promise<SignedIn | Refusal> {
  const signedIn = await signInByPassword(ctx, captcha, credentials);
  if (signedIn instanceof Refusal || signedIn.mustChangePassword || signedIn.secondStep) {
    return signedIn;
  }
  const prefetched = homeDay ? await prefetchHome(signedIn, homeDay, ctx) : null;
  return { ...signedIn, ...(prefetched && { prefetched }) };
}

async function signInByPassword(
  ctx: PublicCtx,
  captcha: Captcha,
  { username, password, deviceToken }: Omit<LoginBody, "homeDay">,
): Promise<SignedIn | Refusal> {
  const { database, origin } = ctx;
  const deviceSecret = database.vault.derive("device-token");
  const device = deviceOf(deviceSecret, username, deviceToken);
  const tries = triesOf(username, { network: origin.network, device });
  const solved = await captcha.solvedBy(ctx.headers);

  const account = await database.transaction("platform", async (db) => {
    await useOnce(db, solved);
    const level = device ? 0 : await levelOf(db, username);
    if (solved.cost < costOf(level)) return new Refusal("CAPTCHA_HARDER");
    const found = await findAccount(db, username);
    const refusal = await refusalOf(db, tries);
    if (refusal) await logSignIn(db, found ?? username, "THROTTLED", origin);
    return refusal ?? found;
  });
  if (account instanceof Refusal) return account;

  const share = shareOfStranger(origin.address);
  const isRight = await verifyPassword(password, account?.passwordHash ?? null, share);
  const isWelcome = isRight && account !== null && !account.isDisabled;
  return database.transaction("platform", async (db) => {
    if (account) await db.narrow(account.tenantId);
    if (!isWelcome) {
      const outcome = isRight && account?.isDisabled ? "DISABLED" : "CREDENTIALS_WRONG";
      await logSignIn(db, account ?? username, outcome, origin);
      return (await countWrong(db, tries)) ?? new Refusal("CREDENTIALS_WRONG");
    }
    // Concurrent guesses may have failed since the check before the password was compared.
    const refusal = await refusalOf(db, tries);
    if (refusal) {
      await logSignIn(db, account, "THROTTLED", origin);
      return refusal;
    }
    if (account.isFirstPasswordExpired) {
      await logSignIn(db, account, "FIRST_PASSWORD_EXPIRED", origin);
      return new Refusal("FIRST_PASSWORD_EXPIRED");
    }
    if (!account.tenantIsActive) {
      await logSignIn(db, account, "TENANT_EXPIRED", origin);
      return new Refusal("TENANT_EXPIRED");
    }
    if (!(await updateLastSignIn(db, account))) {
      await logSignIn(db, account, "CREDENTIALS_WRONG", origin);
      return (await countWrong(db, tries)) ?? new Refusal("CREDENTIALS_WRONG");
    }
    await forgetFailures(db, tries.own);
    await forgetFailures(db, accountKeyOf(username));
    const deviceId = device ?? makeDeviceId();
    const isNewDevice = !device && (await repo.hasSignedIn(db, account));
    await repo.insertLoginLog(
      db,
      { ...account, outcome: "SIGNED_IN", deviceId, isNewDevice },
      origin,
    );
    if (isNewDevice) await recheckSessions(db, account);
    await insertAuditEntry(db, account, loginCall, origin, { target: targetOf(account) });
    const signedIn = await openSession(db, account, origin, { provenAt: null, deviceId });
    return { ...signedIn, deviceToken: makeDeviceToken(deviceSecret, username, deviceId) };
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

async function openSession(
  db: Db,
  account: AccountRow,
  origin: Ctx["origin"],
  { provenAt, deviceId }: { provenAt: string | null; deviceId: string | null },
): Promise<SignedIn> {
  const { token, tokenHash } = makeToken(db.vault, "session");
  const opening = { tokenHash, provenAt, deviceId };
  const { hasSecondFactor } = await repo.insertSession(db, account, opening, origin);
  await repo.endOldSessions(db, account, MOST_SESSIONS);
  const secondStep = secondStepOf({ ...account, hasSecondFactor }, provenAt !== null);
  return {
    token,
    username: account.username,
    userType: account.userType,
    tenantId: account.tenantId,
    mustChangePassword: account.mustChangePassword,
    ...(secondStep && { secondStep }),
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
  const tries = triesOfSession(session.username, session.tokenHash);
  const account = await database.read(scopeOf(session), async (db) => {
    await requireUnblocked(db, tries);
    return findAccount(db, session.username);
  });
  if (account?.hasSecondFactor) requireRecentProof(session);
  const share = shareOfSession(session);
  const isRight = await verifyPassword(oldPassword, account?.passwordHash ?? null, share);
  // The estimate takes up to a tenth of a second: only for the owner of the old password.
  const why = isRight ? await weaknessOf(newPassword, account ?? session, share) : null;
  const isUnchanged = oldPassword === newPassword;
  const isNew = isRight && !why && !isUnchanged;
  const newHash = isNew ? await hashPassword(newPassword, share) : null;
  return async (ctx) => {
    const { db, origin } = ctx;
    ctx.audit({ target: targetOf(session) });
    if (!account || !isRight) {
      return (await countWrong(db, tries)) ?? new Refusal("OLD_PASSWORD_WRONG");
    }
    // Concurrent guesses may have failed since the check in `read`.
    await requireUnblocked(db, tries);
    if (isUnchanged) refuse("PASSWORD_UNCHANGED");
    if (why) refuse("PASSWORD_WEAK", { why });
    const isChanged = newHash !== null && (await updatePassword(db, account, newHash));
    if (!isChanged) refuse("OLD_PASSWORD_WRONG");
    const { deviceId, provenAt } = await repo.findOpening(db, session);
    await repo.endSessionsOf(db, session);
    const changed = { ...account, mustChangePassword: false };
    return openSession(db, changed, origin, { provenAt, deviceId });
  };
}

async function requireUnblocked(db: Db, tries: Tries): Promise<void> {
  const refusal = await refusalOf(db, tries);
  if (refusal) throw refusal;
}
