// Pure rules of packages (套餐): their kinds, what a bought card covers, when it is at its end. Integer fen throughout.
import type { Side } from "../cabinet-model/cabinet-model.contract.ts";

/** BONUS is a top-up with something on it; the other two are cards that pay for stays. */
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
  /** What it costs; of a BONUS what comes into the wallet as principal. */
  priceFen: number;
  /** Of a BONUS: what is given on top. */
  bonusFen: number;
  /** Of a USES card: for how many stays. */
  uses: number | null;
  /** Of a card: for how long, from its purchase. */
  validDays: number | null;
  /** Of a card: what it pays of one stay at most; null: all of it. */
  coverLimitFen: number | null;
  sides: readonly Side[];
}

/** Why these terms make no package; null when they do. */
export function packageProblem(terms: PackageTerms): string | null {
  if (terms.sides.length === 0) return "请选择适用设备";
  if (terms.priceFen === 0) {
    return terms.kind === "BONUS" ? "请填写充值金额，须大于 0" : "请填写售价，须大于 0";
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

/** What belongs to its kind alone; the rest is emptied, so that no two rows say the same differently. */
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

/** A bought card; `usesLeft` null: as often as one likes. Times in ms since 1970. */
export interface Card {
  id: number;
  kind: CardKind;
  sides: readonly Side[];
  usesLeft: number | null;
  coverLimitFen: number | null;
  expiresAt: number;
}

/** Used up comes first: nothing was lost to time then. */
export function cardState(card: Pick<Card, "usesLeft" | "expiresAt">, now: number): CardState {
  if (card.usesLeft === 0) return "USED_UP";
  return card.expiresAt <= now ? "EXPIRED" : "ACTIVE";
}

/** What a card pays of `fen`. */
export function coverOf({ coverLimitFen }: Pick<Card, "coverLimitFen">, fen: number): number {
  return coverLimitFen === null ? fen : Math.min(fen, coverLimitFen);
}

/**
 * The card that pays for a stay: the one that pays most; among those one that loses no use by it,
 * then the one that expires first. Null when none does, or nothing is to be paid.
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
