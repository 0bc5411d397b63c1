// Two-step verification of the own account: set-up, and the proof for a session or a sensitive call.
import { isGraveAccount } from "@cabinet/contract/factor-demand.ts";
import type {
  SecondFactor,
  secondFactorContract,
} from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import {
  isTotpCode,
  MOST_EXEMPT_DAYS,
  MOST_PASSKEYS,
  tidyCode,
} from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { makeToken } from "../../../platform/access-token.ts";
import {
  type AccountKey,
  type Ctx,
  isVisit,
  type PrepareCtx,
  type Session,
  scopeOf,
  shareOfSession,
} from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Refusal, refuse } from "../../../platform/errors.ts";
import { forgetFailures } from "../../../platform/limits/throttle.sql.ts";
import {
  countWrong,
  findAccount,
  forgetProofsElsewhere,
  insertLoginLog,
  isFactorDemanded,
  markProven,
  refusalOf,
  replaceToken,
  savePasskeyChallenge,
  type Tries,
  takePasskeyChallenge,
  triesOfSession,
  updateHasSecondFactor,
  verifyPassword,
} from "../auth/index.ts";
import {
  type Answer,
  creationOptions,
  requestOptions,
  verifyCreation,
  verifyUse,
} from "./passkey.gate.ts";
import {
  hashRecoveryCode,
  makeRecoveryCodes,
  makeTotp,
  stepOfCode,
  totpSealedFor,
} from "./second-factor.crypto.ts";
import * as repo from "./second-factor.sql.ts";

type Contract = typeof secondFactorContract;
type NewCodes = Reply<Contract["confirmTotp"]>;

const TARGET = "自己的两步验证";

export async function getSecondFactor({ db, session }: Ctx): Promise<SecondFactor | null> {
  if (isVisit(session)) return null;
  const totp = await repo.findTotp(db, session);
  const passkeys = await repo.findPasskeys(db, session);
  return {
    hasTotp: totp?.isConfirmed ?? false,
    passkeys: passkeys.map(({ id, name, host, createdAt, lastUsedAt }) => ({
      ...{ id, name, host, createdAt, lastUsedAt },
    })),
    recoveryCodes: await repo.countRecoveryCodes(db, session),
    isDemanded: await isDemanded(db, session),
  };
}

export async function beginTotp({
  db,
  session,
  audit,
}: Ctx): Promise<Reply<Contract["beginTotp"]>> {
  await repo.lockAccount(db, session);
  const present = await repo.findTotp(db, session);
  if (present?.isConfirmed) refuse("TOTP_ALREADY_SET");
  const made = makeTotp(session.username);
  await repo.saveTotp(db, session, db.vault.seal(made.secret, totpSealedFor(session)));
  audit({ target: TARGET });
  return made;
}

export async function confirmTotp(ctx: Ctx, code: string): Promise<NewCodes | Refusal> {
  const { db, session } = ctx;
  await repo.lockAccount(db, session);
  const totp = await repo.findTotp(db, session);
  if (!totp) refuse("TOTP_NOT_BEGUN");
  if (totp.isConfirmed) refuse("TOTP_ALREADY_SET");
  ctx.audit({ target: TARGET, after: { totp: "已绑定" } });
  if (!(await useTotp(db, session, code))) return refuseCounted(db, codeTries(session));
  return finishSetUp(ctx);
}

export async function removeTotp(ctx: Ctx): Promise<null> {
  const { db, session } = ctx;
  await repo.lockAccount(db, session);
  if (!(await repo.deleteTotp(db, session))) refuse("NOT_FOUND", { what: "验证器" });
  await finishRemoval(ctx);
  ctx.audit({ target: TARGET, before: { totp: "已绑定" } });
  return null;
}

export async function beginPasskey(ctx: Ctx, host: string): Promise<Record<string, unknown>> {
  const { db, session } = ctx;
  const known = await requirePasskeyRoom(ctx);
  const { username, operatorId } = session;
  const options = await creationOptions({ host, username, operatorId }, known);
  await savePasskeyChallenge(db, session.tokenHash, `${host} ${options.challenge}`);
  ctx.audit({ target: TARGET });
  return { ...options };
}

async function requirePasskeyRoom({ db, session }: Ctx): Promise<repo.PasskeyRow[]> {
  const known = await repo.findPasskeys(db, session);
  if (known.length >= MOST_PASSKEYS) refuse("PASSKEY_LIMIT", { max: MOST_PASSKEYS });
  return known;
}

export async function confirmPasskey(
  ctx: Ctx,
  { name, answer }: Input<Contract["confirmPasskey"]>["body"],
): Promise<NewCodes> {
  const { db, session } = ctx;
  await repo.lockAccount(db, session);
  // Other sessions of the account may have begun, too.
  await requirePasskeyRoom(ctx);
  const asked = await takeAsked(db, session);
  const { id, publicKey, counter, transports } = await verifyCreation(answer, asked);
  await repo.insertPasskey(db, session, {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    counter,
    transports: [...(transports ?? [])],
    name: name.trim(),
    host: asked.host,
  });
  ctx.audit({ target: TARGET, after: { passkey: name.trim() } });
  return finishSetUp(ctx);
}

export async function removePasskey(ctx: Ctx, id: number): Promise<null> {
  const { db, session } = ctx;
  await repo.lockAccount(db, session);
  const deleted = await repo.deletePasskey(db, session, id);
  if (!deleted) refuse("NOT_FOUND", { what: "通行密钥" });
  await finishRemoval(ctx);
  ctx.audit({ target: TARGET, before: { passkey: deleted.name } });
  return null;
}

export async function renewRecoveryCodes(ctx: Ctx): Promise<NewCodes> {
  const { db, session } = ctx;
  await repo.lockAccount(db, session);
  if (!(await hasFactor(db, session))) refuse("NOT_FOUND", { what: "两步验证" });
  ctx.audit({ target: TARGET, after: { recoveryCodes: "已重新生成" } });
  return { recoveryCodes: await newRecoveryCodes(db, session) };
}

/** The first factor brings recovery codes, which are shown this once. */
async function finishSetUp({ db, session }: Ctx): Promise<NewCodes> {
  if (await updateHasSecondFactor(db, session, true)) await forgetProofsElsewhere(db, session);
  await markProven(db, session.tokenHash);
  const isFirst = (await repo.countRecoveryCodes(db, session)) === 0;
  return { recoveryCodes: isFirst ? await newRecoveryCodes(db, session) : [] };
}

/** Without a factor the recovery codes go, too; a role may demand one. */
async function finishRemoval({ db, session }: Ctx): Promise<void> {
  if (await hasFactor(db, session)) return;
  if (await isDemanded(db, session)) refuse("SECOND_FACTOR_DEMANDED");
  await clearFactors(db, session);
}

async function isDemanded(db: Db, account: AccountKey): Promise<boolean> {
  const facts = await repo.findFactorFacts(db, account);
  return facts !== null && isFactorDemanded(facts);
}

/** An exception has an end that somebody will live to see. */
export function requireExemptDay(until: string | null): void {
  const today = shanghaiDay(Date.now());
  const max = MOST_EXEMPT_DAYS;
  if (until !== null && (until < today || until > addDays(today, max))) {
    refuse("FACTOR_EXEMPTION_DAYS", { max });
  }
}

/** Time from which this account cannot work without a factor, while the platform's exception lasts; null: there is none. */
export async function findFactorDeadline(db: Db, session: Session): Promise<string | null> {
  const { userType, permissions } = session;
  if (isVisit(session) || !isGraveAccount({ userType, permissions: [...permissions] })) return null;
  return repo.findExemptUntil(db, session);
}

async function hasFactor(db: Db, account: AccountKey): Promise<boolean> {
  const totp = await repo.findTotp(db, account);
  return totp?.isConfirmed === true || (await repo.findPasskeys(db, account)).length > 0;
}

/** Takes all factors from an account; false if it had none. */
export async function clearFactors(db: Db, account: AccountKey): Promise<boolean> {
  const hadAny = await repo.deleteFactors(db, account);
  await updateHasSecondFactor(db, account, false);
  return hadAny;
}

async function newRecoveryCodes(db: Db, account: AccountKey): Promise<string[]> {
  const codes = makeRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(db.vault, account, code));
  await repo.replaceRecoveryCodes(db, account, hashes);
  return codes;
}

export async function waysToProve(
  { db, session }: Ctx,
  host: string,
): Promise<Reply<Contract["ways"]>> {
  const totp = await repo.findTotp(db, session);
  return {
    hasTotp: totp?.isConfirmed ?? false,
    hasPasskey: (await repo.findPasskeys(db, session, host)).length > 0,
    recoveryCodes: await repo.countRecoveryCodes(db, session),
  };
}

export async function challengePasskey(ctx: Ctx, host: string): Promise<Record<string, unknown>> {
  const { db, session } = ctx;
  const known = await repo.findPasskeys(db, session, host);
  if (known.length === 0) refuse("NOT_FOUND", { what: "通行密钥" });
  const options = await requestOptions(host, known);
  await savePasskeyChallenge(db, session.tokenHash, `${host} ${options.challenge}`);
  return { ...options };
}

/** A password is compared outside the transaction, because it waits for an Argon2 slot. */
export async function prepareProof(
  { database, session }: PrepareCtx,
  { code, answer, password }: Input<Contract["prove"]>["body"],
): Promise<(ctx: Ctx) => Promise<Reply<Contract["prove"]> | Refusal>> {
  let isPasswordRight = false;
  if (password !== undefined) {
    const tries = triesOfSession(session.username, session.tokenHash);
    const account = await database.read(scopeOf(session), async (db) => {
      // Before the work: a flood of wrong passwords would keep the few places of that busy.
      const blocked = await refusalOf(db, tries);
      if (blocked) throw blocked;
      return findAccount(db, session.username);
    });
    // An account with a second factor proves with it: the password alone may have been stolen.
    const hash = account?.hasSecondFactor === false ? account.passwordHash : null;
    isPasswordRight = await verifyPassword(password, hash, shareOfSession(session));
  }
  return async ({ db, session, audit, origin }) => {
    audit({ target: TARGET });
    const isOfSignIn = session.secondStep === "DUE";
    const logStep = (outcome: "SECOND_STEP_PASSED" | "SECOND_STEP_WRONG" | "THROTTLED") =>
      insertLoginLog(db, { ...session, outcome }, origin);
    // Concurrent tries would all be compared before the first of them is counted.
    await repo.lockAccount(db, session);
    const tries =
      password === undefined
        ? codeTries(session)
        : triesOfSession(session.username, session.tokenHash);
    const blocked = await refusalOf(db, tries);
    if (blocked) throw blocked;
    const isRight =
      answer !== undefined
        ? await isPasskeyRight(db, session, answer)
        : code !== undefined
          ? await isCodeRight(db, session, code)
          : isPasswordRight && !(await hasFactor(db, session));
    if (!isRight) {
      // A passkey's signature cannot be guessed: wrong answers must not block the code.
      const refusal =
        answer === undefined ? await refuseCounted(db, tries) : new Refusal("PASSKEY_REFUSED");
      if (isOfSignIn) await logStep("SECOND_STEP_WRONG");
      // Once, when the block begins: refused tries cost nothing, and would flood the log.
      if (isOfSignIn && refusal.code === "SIGN_IN_THROTTLED") await logStep("THROTTLED");
      return refusal;
    }
    await forgetFailures(db, tries.own);
    await markProven(db, session.tokenHash);
    if (!isOfSignIn) return { token: null };
    await logStep("SECOND_STEP_PASSED");
    return { token: await renewToken(db, session) };
  };
}

async function renewToken(db: Db, session: Session): Promise<string> {
  const { token, tokenHash } = makeToken(db.vault, "session");
  await replaceToken(db, session.tokenHash, tokenHash);
  return token;
}

/** Counted by account: only who knows the password gets here. */
function codeTries({ homeTenantId, operatorId }: Session): Tries {
  return { own: `second-factor:${homeTenantId}:${operatorId}`, network: null, account: null };
}

async function refuseCounted(db: Db, tries: Tries): Promise<Refusal> {
  return (await countWrong(db, tries)) ?? new Refusal("PROOF_WRONG");
}

function isCodeRight(db: Db, account: AccountKey, given: string): Promise<boolean> {
  const code = tidyCode(given);
  return isTotpCode(code)
    ? useTotp(db, account, code, "confirmed")
    : repo.useRecoveryCode(db, account, hashRecoveryCode(db.vault, account, code));
}

/** Each code is accepted once. */
async function useTotp(
  db: Db,
  account: AccountKey,
  code: string,
  needed?: "confirmed",
): Promise<boolean> {
  const totp = await repo.findTotp(db, account);
  if (!totp || (needed && !totp.isConfirmed)) return false;
  const secret = db.vault.open(totp.sealedSecret, totpSealedFor(account));
  const step = stepOfCode(secret, code, Date.now());
  return step !== null && repo.useTotpStep(db, account, step);
}

/** False instead of a thrown refusal, so that the challenge stays used and the attempt is recorded. */
async function isPasskeyRight(db: Db, session: Session, answer: Answer): Promise<boolean> {
  try {
    const asked = await takeAsked(db, session);
    const known = await repo.findPasskeys(db, session, asked.host);
    const passkey = known.find(({ credentialId }) => credentialId === answer.id);
    if (!passkey) return false;
    const counter = await verifyUse(answer, asked, passkey);
    await repo.recordPasskeyUse(db, session, { id: passkey.id, counter });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "PASSKEY_REFUSED") return false;
    throw error;
  }
}

/** Each challenge is answered once. */
async function takeAsked(db: Db, session: Session): Promise<{ host: string; challenge: string }> {
  const asked = await takePasskeyChallenge(db, session.tokenHash);
  const [host, challenge] = asked?.split(" ") ?? [];
  return host && challenge ? { host, challenge } : refuse("PASSKEY_REFUSED");
}
