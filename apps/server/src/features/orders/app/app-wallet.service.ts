// Wallet of an app user: balance, cards, packages on sale, topping up.

import type { Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import { cardState } from "@cabinet/contract/money/package/package.rules.ts";
import type { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import type { AppCtx, EndUser } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { spendable, walletOf } from "../../money/ledger/index.ts";
import {
  buyPackage,
  findCards,
  findOffers,
  lockBonusPackageOrRefuse,
} from "../../money/package/index.ts";
import { startOnlineTopUp, topUpAppId, topUpProgress } from "../../money/payment/index.ts";
import { findOpenid } from "../end-user/index.ts";
import { requireTopUpAllowed, topUpMostFen } from "./account-status.gate.ts";
import { actorOf } from "./app-actor.flow.ts";

type Contract = typeof appWalletContract;

export async function getMyWallet({ db, user }: AppCtx): Promise<Reply<Contract["wallet"]>> {
  const [wallet, cards, appId, mostFen] = await Promise.all([
    walletOf(db, user),
    findCards(db, user),
    topUpAppId(db, user.tenantId),
    topUpMostFen(db, user),
  ]);
  const { principalFen, bonusFen, heldPrincipalFen, heldBonusFen } = wallet;
  const free = spendable(wallet);
  const now = Date.now();
  return {
    principalFen,
    bonusFen,
    heldFen: heldPrincipalFen + heldBonusFen,
    availableFen: free.principalFen + free.bonusFen,
    isTopUpOpen: appId !== null && mostFen > 0,
    topUpMostFen: mostFen,
    cards: cards.map((card) => ({
      ...card,
      state: cardState({ ...card, expiresAt: Date.parse(card.expiresAt) }, now),
    })),
  };
}

export function listPackages({ db, user }: AppCtx): Promise<Reply<Contract["packages"]>> {
  return findOffers(db, user.tenantId);
}

export async function buyMyPackage(
  { db, user }: AppCtx,
  packageId: number,
  { agreedFen }: Input<Contract["buyPackage"]>["body"],
): Promise<Reply<Contract["buyPackage"]>> {
  const { tenantId, endUserId } = user;
  const request = { tenantId, endUserId, packageId, agreedFen, actor: actorOf(user) };
  const { userPackageId } = await buyPackage(db, request);
  return { cardId: userPackageId };
}

export async function startTopUp(
  { db, user, origin }: AppCtx,
  body: Input<Contract["topUp"]>["body"],
): Promise<Reply<Contract["topUp"]>> {
  const { openid, amountFen, packageId, isInBrowser } = body;
  if ((amountFen === undefined) === (packageId === undefined)) {
    refuse("TOP_UP_AMOUNT_MISSING");
  }
  await requireTopUpAllowed(db, user, body);
  const { tenantId, endUserId } = user;
  const bought =
    packageId === undefined
      ? { priceFen: amountFen ?? 0, bonusFen: 0 }
      : await lockBonusPackageOrRefuse(db, { tenantId, packageId });
  const { topUpId } = await startOnlineTopUp(db, {
    ...{ tenantId, endUserId, actor: actorOf(user) },
    payer: isInBrowser
      ? { address: origin.address }
      : { openid: openid ?? (await requireOpenid(db, user)) },
    principalFen: bought.priceFen,
    bonusFen: bought.bonusFen,
    packageId: packageId ?? null,
  });
  return { topUpId };
}

/** The openid of the user in the paying mini-program; WeChat Pay accepts no other payer. */
async function requireOpenid(db: Db, user: EndUser): Promise<string> {
  const appId = (await topUpAppId(db, user.tenantId)) ?? refuse("TOP_UP_OFFLINE");
  return (await findOpenid(db, user, appId)) ?? refuse("OPENID_UNKNOWN");
}

export async function getTopUp(
  { db, user: { tenantId, endUserId } }: AppCtx,
  topUpId: number,
): Promise<Reply<Contract["topUpProgress"]>> {
  const progress = await topUpProgress(db, { tenantId, endUserId, topUpId });
  return progress ?? refuse("NOT_FOUND", { what: "充值" });
}
