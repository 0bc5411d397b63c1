// Wallets in the console: reading them, manual recharges, adjustments.
import { randomUUID } from "node:crypto";
import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { FenSplit } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { amountToConfirm, walletActionText } from "@cabinet/contract/money/wallet/wallet.rules.ts";
import { operatorActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { refuse } from "../../../platform/errors.ts";
import { type PostedJournal, postJournal } from "../ledger/index.ts";
import { lockBonusPackageOrRefuse } from "../package/index.ts";
import { insertCashTopUp } from "../payment/index.ts";
import * as repo from "./wallet.sql.ts";

type ChangeBody = Input<typeof walletContract.change>["body"];

export async function listWallets(
  ctx: Ctx,
  query: Input<typeof walletContract.list>["query"],
): Promise<Reply<typeof walletContract.list>> {
  const page = await repo.findWallets(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(withMaskedPhone) };
}

export async function listTopUps(
  ctx: Ctx,
  query: Input<typeof walletContract.topUps>["query"],
): Promise<Reply<typeof walletContract.topUps>> {
  requireSpan(query);
  const page = await repo.findTopUps(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(withMaskedPhone) };
}

export function sumOfWallets(
  ctx: Ctx,
  query: Input<typeof walletContract.sums>["query"],
): Promise<Reply<typeof walletContract.sums>> {
  return repo.sumWallets(ctx.db, ctx.session, query);
}

export function sumOfTopUps(
  ctx: Ctx,
  query: Input<typeof walletContract.topUpSums>["query"],
): Promise<Reply<typeof walletContract.topUpSums>> {
  requireSpan(query);
  return repo.sumTopUps(ctx.db, ctx.session, query);
}

export async function getWallet(
  ctx: Ctx,
  endUserId: number,
): Promise<Reply<typeof walletContract.get>> {
  const wallet = await repo.findWalletDetail(ctx.db, ctx.session, endUserId);
  return withMaskedPhone(wallet ?? refuse("NOT_FOUND", { what: "用户" }));
}

export async function changeWallet(
  ctx: Ctx,
  body: ChangeBody,
): Promise<Reply<typeof walletContract.change>> {
  requireSensible(body);
  const owner = await repo.findOwner(ctx.db, ctx.session, body.endUserId);
  if (!owner) refuse("NOT_FOUND", { what: "用户" });
  const posted =
    body.kind === "RECHARGE" ? await recharge(ctx, owner, body) : await adjust(ctx, owner, body);
  const after = { principalFen: posted.principalAfterFen, bonusFen: posted.bonusAfterFen };
  ctx.audit({
    tenantId: owner.tenantId,
    target: `${walletActionText[body.kind]} ${owner.userName}（${maskPhone(owner.phone)}）`,
    reason: body.reason.trim(),
    before: {
      principalFen: after.principalFen - posted.principalFen,
      bonusFen: after.bonusFen - posted.bonusFen,
    },
    after: { ...after, journalId: posted.id },
  });
  return { journalId: posted.id, ...after };
}

/** Checks beyond the schema: signs per kind, a non-zero amount, confirmation of large amounts. */
function requireSensible(body: ChangeBody): void {
  const { kind, principalFen, bonusFen, confirmFen } = body;
  if (kind === "RECHARGE" && (principalFen <= 0 || bonusFen < 0)) {
    refuse("TOP_UP_PARTS_INVALID");
  }
  if (kind === "ADMIN_ADJUST" && (body.packageId || body.receiptNo)) {
    refuse("RECEIPT_OF_TOP_UP_ONLY");
  }
  if (principalFen === 0 && bonusFen === 0) {
    refuse("ADJUSTMENT_EMPTY");
  }
  const asked = amountToConfirm(body);
  if (asked !== null && confirmFen !== asked) {
    refuse("AMOUNT_UNCONFIRMED", { amount: yuanOfFen(asked) });
  }
}

async function recharge(
  { db, session }: Ctx,
  { tenantId, endUserId }: repo.WalletOwner,
  body: ChangeBody,
): Promise<PostedJournal> {
  const { principalFen, bonusFen, packageId = null } = body;
  if (packageId !== null) await requireItsAmounts(db, { tenantId, packageId }, body);
  const actor = operatorActor(session);
  const reason = body.reason.trim();
  const receiptNo = body.receiptNo?.trim() || null;
  const topUpId = await insertCashTopUp(db, {
    tenantId,
    endUserId,
    principalFen,
    bonusFen,
    packageId,
    receiptNo,
    actor,
    reason,
  });
  return postJournal(db, {
    tenantId,
    endUserId,
    kind: "RECHARGE",
    channel: "CASH",
    principalFen,
    bonusFen,
    bizType: "TOP_UP",
    bizId: String(topUpId),
    actor,
    reason,
  });
}

/** Refuses with CONFLICT when the package has changed since the form showed it. */
async function requireItsAmounts(
  db: Db,
  of: { tenantId: number; packageId: number },
  { principalFen, bonusFen }: FenSplit,
): Promise<void> {
  const offer = await lockBonusPackageOrRefuse(db, of);
  const isSame = offer.priceFen === principalFen && offer.bonusFen === bonusFen;
  if (!isSame) refuse("CONFLICT", { what: `套餐“${offer.name}”` });
}

function adjust(
  { db, session }: Ctx,
  { tenantId, endUserId }: repo.WalletOwner,
  { principalFen, bonusFen, reason }: ChangeBody,
): Promise<PostedJournal> {
  return postJournal(db, {
    tenantId,
    endUserId,
    kind: "ADMIN_ADJUST",
    principalFen,
    bonusFen,
    bizType: "ADJUSTMENT",
    bizId: randomUUID(),
    actor: operatorActor(session),
    reason: reason.trim(),
  });
}

function withMaskedPhone<Row extends { phone: string }>(row: Row): Row {
  return { ...row, phone: maskPhone(row.phone) };
}
