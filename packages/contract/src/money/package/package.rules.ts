// Pure rules of packages (套餐): kinds, what a bought card covers, when it ends. Integer fen
// throughout.
import type { Side } from "../../vocabulary/hardware.ts";

/** BONUS is a top-up with bonus money; USES and PERIOD are cards that cover stays. */
export const PACKAGE_KINDS = ["BONUS", "USES", "PERIOD"] as const;
export type PackageKind = (typeof PACKAGE_KINDS)[number];
export const packageKindText: Record<PackageKind, string> = {
  BONUS: "充值赠送",
  USES: "次卡",
  PERIOD: "月卡",
};

export const CARD_KINDS = ["USES", "PERIOD"] as const;
export type CardKind = (typeof CARD_KINDS)[number];

export interface PackageTerms {
  kind: PackageKind;
  /** Price; for BONUS also the principal credited to the wallet. */
  priceFen: number;
  /** BONUS only: bonus money credited. */
  bonusFen: number;
  /** USES only: number of stays. */
  uses: number | null;
  /** Cards only: validity in days from the purchase. */
  validDays: number | null;
  /** Cards only: most that it covers of one stay; null: all of it. */
  coverLimitFen: number | null;
  sides: readonly Side[];
}

/** Problem of these terms, in Chinese; null when they are valid. */
export function packageProblem(terms: PackageTerms): string | null {
  if (terms.sides.length === 0) return "请选择适用设备";
  if (terms.priceFen === 0) {
    return {
      BONUS: "请填写充值金额，须大于 0",
      PERIOD: "请填写售价，须大于 0",
      USES: "请填写售价，须大于 0",
    }[terms.kind];
  }
  if (terms.kind === "BONUS") {
    if (terms.bonusFen === 0) return "请填写赠送金额，须大于 0";
    return null;
  }
  if (terms.validDays === null) return "请填写有效天数";
  if (terms.kind === "USES" && terms.uses === null) return "请填写可用次数";
  if (terms.coverLimitFen === 0) return "单次最多抵扣须大于 0，不限请留空";
  return null;
}

/** Clears the fields of other kinds, so that equal packages have equal rows. */
export function tidyTerms<Terms extends PackageTerms>(terms: Terms): Terms {
  const isCard = terms.kind !== "BONUS";
  return {
    ...terms,
    bonusFen: isCard ? 0 : terms.bonusFen,
    uses: terms.kind === "USES" ? terms.uses : null,
    validDays: isCard ? terms.validDays : null,
    coverLimitFen: isCard ? terms.coverLimitFen : null,
  };
}

export const CARD_STATES = ["ACTIVE", "USED_UP", "EXPIRED"] as const;
export type CardState = (typeof CARD_STATES)[number];
export const cardStateText: Record<CardState, string> = {
  ACTIVE: "可用",
  USED_UP: "已用完",
  EXPIRED: "已过期",
};

/** Bought card; `usesLeft` null: unlimited. Times in ms since 1970. */
export interface Card {
  id: number;
  kind: CardKind;
  sides: readonly Side[];
  usesLeft: number | null;
  coverLimitFen: number | null;
  expiresAt: number;
}

/** USED_UP takes precedence over EXPIRED: no paid use was lost to time. */
export function cardState(card: Pick<Card, "usesLeft" | "expiresAt">, now: number): CardState {
  if (card.usesLeft === 0) return "USED_UP";
  return card.expiresAt <= now ? "EXPIRED" : "ACTIVE";
}

/** Amount in fen that a card covers of `fen`. */
export function coverOf({ coverLimitFen }: Pick<Card, "coverLimitFen">, fen: number): number {
  return coverLimitFen === null ? fen : Math.min(fen, coverLimitFen);
}

/**
 * Chooses the card that pays for a stay: the one that covers most; among equals one that loses no
 * use, then the one that expires first. Null when none is usable or nothing is owed.
 */
export function chooseCard<Bought extends Card>(
  cards: readonly Bought[],
  { side, fen, now }: { side: Side; fen: number; now: number },
): Bought | null {
  if (fen <= 0) return null;
  const usable = cards.filter(
    (card) => card.sides.includes(side) && cardState(card, now) === "ACTIVE",
  );
  const [best = null] = usable.sort(
    (one, other) =>
      coverOf(other, fen) - coverOf(one, fen) ||
      Number(one.usesLeft !== null) - Number(other.usesLeft !== null) ||
      one.expiresAt - other.expiresAt ||
      one.id - other.id,
  );
  return best;
}
