// Moves money: posts journals, and takes, posts and releases holds for orders.
import type { ErrorCode, ErrorFacts } from "@cabinet/contract/kit/errors.ts";
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import {
  type FenSplit,
  isPossibleChange,
  splitPayment,
} from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Actor } from "../../../platform/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { countOperatorMoney } from "../../organization/tenant-setting/index.ts";
import type { Hold, JournalDraft, PostedJournal, Wallet, WalletKey } from "./posting.sql.ts";
import * as repo from "./posting.sql.ts";

const empty: Wallet = { principalFen: 0, bonusFen: 0, heldPrincipalFen: 0, heldBonusFen: 0 };

/** Balance that can be spent: without the held part. */
export function spendable(wallet: Wallet): FenSplit {
  return {
    principalFen: wallet.principalFen - wallet.heldPrincipalFen,
    bonusFen: wallet.bonusFen - wallet.heldBonusFen,
  };
}

/** A person without a wallet has an empty one. */
export async function walletOf(db: Db, key: WalletKey): Promise<Wallet> {
  return (await repo.findWallet(db, key)) ?? empty;
}

/**
 * Posts one journal, idempotent by (`bizType`, `bizId`): a repeat returns the first journal and changes nothing.
 * Refuses when the balance is too low or the person does not exist, and with PROOF_DUE when a console account whose proof
 * is old moves more than its tenant allows in 24 hours. Beyond the tenant's sum for a second person the call becomes a
 * request (0142).
 */
export async function postJournal(db: Db, draft: JournalDraft): Promise<PostedJournal> {
  requirePossible(draft);
  const insert = () => repo.insertJournal(db, draft);
  const [, found] = await inWords(() => Promise.all([repo.lockWallet(db, draft), insert()]));
  // The first journal of a person creates their wallet.
  const posted = found ?? (await behindLock(db, draft, insert));
  if (!posted) return refuseShort(db, draft);
  // The price of an order is its rule's, not the operator's.
  if (!posted.isRepeat && draft.kind !== "PAYMENT") {
    await countForReview(db, draft);
  }
  return sameOrRefuse(posted, draft);
}

async function countForReview(db: Db, draft: JournalDraft): Promise<void> {
  const { kind, endUserId, principalFen, bonusFen, order, basis = null, actor } = draft;
  const review = actor.proof?.review;
  review?.postings.push({
    kind,
    endUserId,
    principalFen,
    bonusFen,
    orderId: order?.id ?? null,
    basis,
  });
  if (review?.isApproved) return;
  const fen = Math.abs(principalFen) + Math.abs(bonusFen);
  const isDue = await countOperatorMoney(db, { ...draft, fen });
  if (!isDue) return;
  // Nothing would take back what the call has written.
  if (!review) throw new Error(`a ${kind} outside of a call with the risk money-by-sum`);
  review.isDue = true;
}

export type PaymentDraft = Omit<JournalDraft, "kind" | "channel" | "principalFen" | "bonusFen"> & {
  kind: "PAYMENT" | "PACKAGE_BUY";
  fen: number;
};

/** Pays `fen` from the spendable balance, principal first. Otherwise like `postJournal`. */
export async function payFromWallet(
  db: Db,
  { fen, ...payment }: PaymentDraft,
): Promise<PostedJournal> {
  const [wallet, earlier] = await behindLock(db, payment, () =>
    Promise.all([walletOf(db, payment), repo.findJournal(db, payment)]),
  );
  if (earlier) {
    const isSame = earlier.principalFen + earlier.bonusFen === -fen;
    return isSame && isOf(earlier, payment) ? earlier : refuse("JOURNAL_TAKEN");
  }
  const split = splitOrRefuse(fen, spendable(wallet));
  return postJournal(db, {
    ...payment,
    principalFen: -split.principalFen,
    bonusFen: -split.bonusFen,
  });
}

/**
 * Holds what an order owes, principal first; the money stays in the wallet and cannot be spent. An order has one hold
 * at a time.
 */
export async function takeHold(
  db: Db,
  { orderId, fen, ...key }: WalletKey & { orderId: number; fen: number },
): Promise<Hold> {
  if (!Number.isSafeInteger(fen) || fen <= 0) throw new Error(`a hold of ${fen} fen`);
  const [wallet, earlier] = await behindLock(db, key, () =>
    Promise.all([walletOf(db, key), repo.findHoldOfOrder(db, { ...key, orderId })]),
  );
  if (earlier) refuse("HOLD_PENDING");
  const split = splitOrRefuse(fen, spendable(wallet));
  return inWords(() => repo.insertHold(db, key, orderId, split));
}

/** `bizType` of a payment from a hold. */
const HOLD_BIZ = "ORDER_HOLD";

/** Captures the hold: the door did open. A repeat returns the first journal. Null when it was released before. */
export async function postHold(
  db: Db,
  at: { tenantId: number; holdId: number; side: Side; actor: Actor; reason?: string },
): Promise<PostedJournal | null> {
  const { tenantId, holdId, side, actor, reason } = at;
  const hold = await lockHoldOrThrow(db, tenantId, holdId);
  const biz = { tenantId, bizType: HOLD_BIZ, bizId: String(holdId) };
  if (hold.state === "RELEASED") return null;
  if (hold.state === "POSTED") return repo.findJournal(db, biz);
  const draft: JournalDraft = {
    ...biz,
    kind: "PAYMENT",
    endUserId: hold.endUserId,
    principalFen: -hold.principalFen,
    bonusFen: -hold.bonusFen,
    order: { id: hold.orderId, side },
    actor,
    ...(reason && { reason }),
  };
  const [posted] = await Promise.all([
    repo.insertJournal(db, draft, hold),
    repo.settleHold(db, tenantId, holdId, "POSTED"),
  ]);
  if (!posted) throw new Error(`hold ${holdId} is not covered by its wallet`);
  return posted;
}

/** Releases the hold: the door is proven not to have opened. False when it was captured before. */
export async function releaseHold(
  db: Db,
  { tenantId, holdId }: { tenantId: number; holdId: number },
): Promise<boolean> {
  const hold = await lockHoldOrThrow(db, tenantId, holdId);
  if (hold.state !== "HELD") return hold.state === "RELEASED";
  await Promise.all([
    repo.freeHeld(db, { tenantId, endUserId: hold.endUserId }, hold),
    repo.settleHold(db, tenantId, holdId, "RELEASED"),
  ]);
  return true;
}

async function lockHoldOrThrow(db: Db, tenantId: number, holdId: number): Promise<Hold> {
  const hold = await repo.lockHold(db, tenantId, holdId);
  if (!hold) throw new Error(`no hold ${holdId}`);
  return hold;
}

/** Runs `work` in the same round trip as the lock; its reads run after the lock is granted. */
async function behindLock<Result>(
  db: Db,
  { tenantId, endUserId }: WalletKey,
  work: () => Promise<Result>,
): Promise<Result> {
  const [, result] = await inWords(() =>
    Promise.all([repo.lockWallets(db, tenantId, [endUserId]), work()]),
  );
  return result;
}

/** Refusals for constraint violations in the database. */
const constraintRefusals: Record<string, [code: ErrorCode, facts?: ErrorFacts]> = {
  // No such person, or another tenant's.
  wallet_tenant_id_end_user_id_fkey: ["NOT_FOUND", { what: "用户" }],
  // The person was deleted.
  end_user_is_there: ["NOT_FOUND", { what: "用户" }],
  // The same business or order at once from two wallets: their row locks do not exclude each other.
  ledger_journal_tenant_id_biz_type_biz_id_key: ["JOURNAL_TAKEN"],
  wallet_hold_of_order: ["HOLD_PENDING"],
};

async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const refusal = constraintRefusals[(error as { constraint?: string }).constraint ?? ""];
    if (refusal) refuse(...refusal);
    throw error;
  }
}

function requirePossible(draft: JournalDraft): void {
  const isWhole = [draft.principalFen, draft.bonusFen].every(Number.isSafeInteger);
  if (!isWhole || !isPossibleChange(draft)) {
    throw new Error(`no ${draft.kind} of ${draft.principalFen} + ${draft.bonusFen} fen`);
  }
}

function sameOrRefuse(posted: PostedJournal, draft: JournalDraft): PostedJournal {
  const isSame = posted.principalFen === draft.principalFen && posted.bonusFen === draft.bonusFen;
  return isSame && isOf(posted, draft) ? posted : refuse("JOURNAL_TAKEN");
}

function isOf(posted: PostedJournal, of: Pick<JournalDraft, "kind" | "endUserId">): boolean {
  return posted.kind === of.kind && posted.endUserId === of.endUserId;
}

/** Splits `fen` over the spendable balance, principal first; refuses when that is too low. */
export function splitOrRefuse(fen: number, free: FenSplit): FenSplit {
  const split = splitPayment(fen, free);
  if (split) return split;
  return refuse("BALANCE_SHORT", {
    need: yuanOfFen(fen),
    available: yuanOfFen(free.principalFen + free.bonusFen),
  });
}

async function refuseShort(db: Db, draft: JournalDraft): Promise<never> {
  const free = spendable(await walletOf(db, draft));
  const isPrincipal = free.principalFen + draft.principalFen < 0;
  const [part, need, available] = isPrincipal
    ? ["本金", -draft.principalFen, free.principalFen]
    : ["赠金", -draft.bonusFen, free.bonusFen];
  return refuse("BALANCE_PART_SHORT", {
    part: part as string,
    need: yuanOfFen(need as number),
    available: yuanOfFen(available as number),
  });
}
