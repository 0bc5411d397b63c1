// How a journal reads: what it changed, whom it was done by.
import type { Journal, JournalDetail } from "@cabinet/contract/ledger/ledger.contract.ts";

/** What the whole wallet gained or lost. */
export function changeFen({ principalFen, bonusFen }: Pick<Journal, "principalFen" | "bonusFen">) {
  return principalFen + bonusFen;
}

/** What a journal is unique by, besides a number of its own. */
const bizTypeText: Readonly<Record<string, string>> = {
  ADJUSTMENT: "调整余额",
  ORDER_HOLD: "开门预扣",
  ORDER_PAYMENT: "订单支付",
  ORDER_REFUND: "订单退款",
  PACKAGE_BUY: "购买套餐",
  TOP_UP: "充值",
  TOP_UP_REFUND: "充值退款",
  TOP_UP_REFUND_BACK: "充值退款失败退回",
};

/** `开门预扣 7026` */
export function bizText({ bizType, bizId }: Pick<JournalDetail, "bizType" | "bizId">) {
  return `${bizTypeText[bizType] ?? bizType} ${bizId}`;
}

const actorKindText: Record<Journal["actorKind"], string> = {
  END_USER: "用户",
  OPERATOR: "后台账号",
  SYSTEM: "系统",
  PARTNER: "第三方",
};

/** `李伟（后台账号）`; the system is named once. */
export function actorText({ actorKind, actorName }: Pick<Journal, "actorKind" | "actorName">) {
  const kind = actorKindText[actorKind];
  return actorName === kind || actorKind === "SYSTEM" ? kind : `${actorName}（${kind}）`;
}
