// Pure rules of end users: texts, end of a lock, obstacles to deletion.
import { yuanOfFen } from "../../kit/money.rules.ts";
import { groupedText } from "../../kit/number.rules.ts";

export const END_USER_STATES = ["ACTIVE", "LOCKED"] as const;
export type EndUserState = (typeof END_USER_STATES)[number];
export const endUserStateText: Record<EndUserState, string> = {
  ACTIVE: "正常",
  LOCKED: "已锁定",
};

/** Name shown for a deleted user. */
export const DELETED_NAME = "已注销用户";

/** Mark of a deleted user in lists; grouped digits, so that a phone filter never matches it. */
export function deletedMark(endUserId: number): string {
  return `#${groupedText(endUserId)}`;
}

const LONGEST_LOCK_DAYS = 3_660;
const DAY_MS = 86_400_000;

/** Problem of a lock's end, in Chinese; null when there is none. Times in ms since 1970. */
export function lockEndProblem(until: number, now: number): string | null {
  if (until <= now) return "解锁时间须晚于现在；要立即解锁请用“解锁”";
  return until > now + LONGEST_LOCK_DAYS * DAY_MS
    ? "解锁时间最多在 10 年以内；更长请留空，直到手动解锁"
    : null;
}

/** Remaining assets and debts of a user in a tenant. Amounts in fen. */
export interface Leftovers {
  principalFen: number;
  bonusFen: number;
  /** Part of both balances that is held for doors being opened. */
  heldFen: number;
  /** Cards that could still be used. */
  cards: number;
  liveOrders: number;
  /** Ended orders with unpaid amounts. */
  unpaidOrders: number;
  unpaidFen: number;
  /** Top-ups begun at WeChat, and refunds under way. */
  openTopUps: number;
  openRefunds: number;
  /** Open differences of the reconciliation. */
  openDifferences: number;
}

/** Reasons not to delete the user, each with its remedy, in Chinese. */
export function leftoverTexts(left: Leftovers): string[] {
  const { principalFen, bonusFen, heldFen, unpaidOrders, unpaidFen } = left;
  const has = (count: number, text: string) => (count > 0 ? [text] : []);
  return [
    ...has(principalFen, `本金余额 ${yuanOfFen(principalFen)} 元`),
    ...has(bonusFen, `赠金余额 ${yuanOfFen(bonusFen)} 元`),
    ...has(heldFen, `其中冻结 ${yuanOfFen(heldFen)} 元`),
    ...has(left.cards, `${left.cards} 张可用的套餐卡`),
    ...has(left.liveOrders, `${left.liveOrders} 个进行中的订单`),
    ...has(unpaidOrders, `${unpaidOrders} 个未付清的订单（共 ${yuanOfFen(unpaidFen)} 元）`),
    ...has(left.openTopUps, `${left.openTopUps} 笔待支付的充值`),
    ...has(left.openRefunds, `${left.openRefunds} 笔未完成的充值退款`),
    ...has(left.openDifferences, `${left.openDifferences} 项待处理的对账差异`),
  ];
}

export const TAG_COLORS = ["BLUE", "GREEN", "GOLD", "RED", "PURPLE", "GRAY"] as const;
export type TagColor = (typeof TAG_COLORS)[number];
export const tagColorText: Record<TagColor, string> = {
  BLUE: "蓝色",
  GREEN: "绿色",
  GOLD: "金色",
  RED: "红色",
  PURPLE: "紫色",
  GRAY: "灰色",
};

/** The colour of this name; no name is blue, an unknown one null. */
export function tagColorOf(name: string): TagColor | null {
  if (name === "") return "BLUE";
  return TAG_COLORS.find((color) => [color, tagColorText[color]].includes(name)) ?? null;
}

/** Problem of a colour in a file, in Chinese; null when there is none. */
export function tagColorProblem({ color }: { color: string }): string | null {
  return tagColorOf(color)
    ? null
    : `没有颜色“${color}”，可填${Object.values(tagColorText).join("、")}，或留空`;
}

/** Most tags of a tenant, so that one call lists them all; and most tags of one user. */
export const MOST_TAGS = 100;
export const MOST_TAGS_OF_ONE = 20;

/** Most notes of one user, so that the card shows them all; and most characters of one. */
export const MOST_NOTES_OF_ONE = 50;
export const LONGEST_NOTE = 200;
