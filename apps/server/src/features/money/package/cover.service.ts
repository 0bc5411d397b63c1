// Pays for a stay with a card: one use per order, taken when its price is settled and returned if
// the door never opened.
import { chooseCard, coverOf } from "@cabinet/contract/money/package/package.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Db } from "../../../platform/db/db.ts";
import * as repo from "./cover.sql.ts";

export interface CoverRequest {
  tenantId: number;
  endUserId: number;
  side: Side;
  orderId: number;
  /** Amount a card may pay: the price less what was waived. */
  fen: number;
}

export interface Cover {
  userPackageId: number;
  name: string;
  coveredFen: number;
  /** Uses left after this one; null = unlimited. */
  usesLeft: number | null;
}

/** Calculates what a card would pay, without taking a use. */
export async function previewCover(db: Db, request: CoverRequest): Promise<Cover | null> {
  const used = await repo.findUse(db, request);
  if (used) return request.fen > 0 ? coverByUse(used, request.fen) : null;
  const chosen = choose(await repo.findUsableCards(db, request), request);
  return chosen && coverBy(chosen, request.fen);
}

/**
 * Takes one use of the best matching card; null if none matches. An order keeps the use it has and
 * only its amount follows the price. The caller locks the order row and stores the result on it.
 * Concurrent orders competing for the last use: exactly one gets it.
 */
export async function coverByCard(db: Db, request: CoverRequest): Promise<Cover | null> {
  const used = await repo.findUse(db, request);
  if (used) {
    if (request.fen <= 0) {
      await repo.deleteUse(db, request);
      return null;
    }
    const cover = coverByUse(used, request.fen);
    if (cover.coveredFen !== used.fen) await repo.updateUse(db, request, cover.coveredFen);
    return cover;
  }
  if (request.fen <= 0) return null;
  const chosen = choose(await repo.lockUsableCards(db, request), request);
  if (!chosen) return null;
  const cover = coverBy(chosen, request.fen);
  const { userPackageId, coveredFen } = cover;
  const isTaken = await repo.insertUse(db, request, { userPackageId, fen: coveredFen });
  if (!isTaken) throw new Error(`order ${request.orderId} was covered without its row being held`);
  return cover;
}

/** Returns the use to its card; null if no card paid. */
export function undoCover(
  db: Db,
  order: { tenantId: number; orderId: number },
): Promise<{ userPackageId: number; fen: number } | null> {
  return repo.deleteUse(db, order);
}

function choose(cards: repo.CardRow[], { side, fen }: CoverRequest): repo.CardRow | null {
  // The query has already excluded expired cards by the database clock, hence `now: 0`.
  const usable = cards.map((row) => ({ ...row, expiresAt: Date.parse(row.expiresAt), row }));
  return chooseCard(usable, { side, fen, now: 0 })?.row ?? null;
}

function coverBy(card: repo.CardRow, fen: number): Cover {
  const usesLeft = card.usesLeft === null ? null : card.usesLeft - 1;
  return { userPackageId: card.id, name: card.name, coveredFen: coverOf(card, fen), usesLeft };
}

function coverByUse(used: repo.UseRow, fen: number): Cover {
  const { userPackageId, name, usesLeft } = used;
  return { userPackageId, name, coveredFen: coverOf(used, fen), usesLeft };
}
