// Buying: cards from the wallet on the terms of the moment; a top-up with something on it is paid elsewhere.
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import type { Actor } from "../../platform/actor.ts";
import type { Db } from "../../platform/db.ts";
import { refuse } from "../../platform/errors.ts";
import { payFromWallet } from "../ledger/index.ts";
import { insertCard } from "./card.sql.ts";
import { holdOffer } from "./package.sql.ts";

/**
 * Buys a card from what the person may spend; refuses what is not on sale, no card, dearer
 * than agreed, or more than there is.
 * Each call is a purchase of its own: the caller sees to it that a repeated request makes none.
 */
export async function buyPackage(
  db: Db,
  at: {
    tenantId: number;
    endUserId: number;
    packageId: number;
    /** The price that the person saw. */
    agreedFen: number;
    actor: Actor;
    reason?: string;
  },
): Promise<{ userPackageId: number; journalId: number }> {
  const { tenantId, endUserId, packageId, actor, reason } = at;
  const offer = await holdOffer(db, tenantId, packageId);
  if (!offer || offer.kind === "BONUS") refuse("PACKAGE_NOT_ON_SALE");
  if (offer.priceFen > at.agreedFen) {
    refuse("PACKAGE_PRICE_RAISED", { price: yuanOfFen(offer.priceFen) });
  }
  const userPackageId = await insertCard(db, tenantId, endUserId, offer);
  if (userPackageId === null) refuse("NOT_FOUND", { what: "用户" });
  const { id: journalId } = await payFromWallet(db, {
    tenantId,
    endUserId,
    kind: "PACKAGE_BUY",
    fen: offer.priceFen,
    bizType: "PACKAGE_BUY",
    bizId: String(userPackageId),
    actor,
    ...(reason && { reason }),
  });
  return { userPackageId, journalId };
}

/** What a top-up under this package pays in and is given; it stays so until the transaction ends. */
export async function requireBonusPackage(
  db: Db,
  { tenantId, packageId }: { tenantId: number; packageId: number },
): Promise<{ id: number; name: string; priceFen: number; bonusFen: number }> {
  const offer = await holdOffer(db, tenantId, packageId);
  if (offer?.kind !== "BONUS") refuse("PACKAGE_NOT_ON_SALE");
  const { id, name, priceFen, bonusFen } = offer;
  return { id, name, priceFen, bonusFen };
}
