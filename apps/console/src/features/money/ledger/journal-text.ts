// Display texts of a journal: amount changed, business reference, actor.
import type { Journal, JournalDetail } from "@cabinet/contract/money/ledger/ledger.contract.ts";

/** Change of the whole wallet, principal plus bonus, in fen. */
export function changeFen({ principalFen, bonusFen }: Pick<Journal, "principalFen" | "bonusFen">) {
  return principalFen + bonusFen;
}

/** Names of `bizType`, which makes a journal unique together with `bizId`. */
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

/** `李伟（后台账号）`; the system is shown as `系统` alone. */
export function actorText({ actorKind, actorName }: Pick<Journal, "actorKind" | "actorName">) {
  const kind = actorKindText[actorKind];
  return actorName === kind || actorKind === "SYSTEM" ? kind : `${actorName}（${kind}）`;
}
