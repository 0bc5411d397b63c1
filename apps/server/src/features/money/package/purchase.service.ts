// Buys cards from the wallet on the current terms; top-ups with a bonus package are paid elsewhere.
import { yuanOfFen } from "@cabinet/contract/kit/money.rules.ts";
import type { Actor } from "../../../platform/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import { payFromWallet } from "../ledger/index.ts";
import { insertCard } from "./card.sql.ts";
import { lockOffer } from "./package.sql.ts";

/**
 * Buys a card from the spendable balance; refuses a package that is off sale, not a card, dearer
 * than agreed, or above the balance. Every call is a purchase: the caller provides idempotency.
 */
export async function buyPackage(
  db: Db,
  at: {
    tenantId: number;
    endUserId: number;
    packageId: number;
    /** Price that the person saw. */
    agreedFen: number;
    actor: Actor;
    reason?: string;
  },
): Promise<{ userPackageId: number; journalId: number }> {
  const { tenantId, endUserId, packageId, actor, reason } = at;
  const offer = await lockOffer(db, tenantId, packageId);
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
    basis: `${packageId} ${offer.editVersion}`,
    actor,
    ...(reason && { reason }),
  });
  return { userPackageId, journalId };
}

/** Principal and bonus of a top-up under this package; locked until the transaction ends. */
export async function lockBonusPackageOrRefuse(
  db: Db,
  { tenantId, packageId }: { tenantId: number; packageId: number },
): Promise<{ id: number; name: string; priceFen: number; bonusFen: number }> {
  const offer = await lockOffer(db, tenantId, packageId);
  if (offer?.kind !== "BONUS") refuse("PACKAGE_NOT_ON_SALE");
  const { id, name, priceFen, bonusFen } = offer;
  return { id, name, priceFen, bonusFen };
}
