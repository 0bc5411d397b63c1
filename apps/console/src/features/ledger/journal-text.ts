// How a journal reads: what it changed, whom it was done by.
import type { Journal } from "@cabinet/contract/ledger/ledger.contract.ts";

/** What the whole wallet gained or lost. */
export function changeFen({ principalFen, bonusFen }: Pick<Journal, "principalFen" | "bonusFen">) {
  return principalFen + bonusFen;
}

const actorKindText: Record<Journal["actorKind"], string> = {
  END_USER: "用户",
  OPERATOR: "后台账号",
  SYSTEM: "系统",
};

/** `李伟（后台账号）`; the system is named once. */
export function actorText({ actorKind, actorName }: Pick<Journal, "actorKind" | "actorName">) {
  const kind = actorKindText[actorKind];
  return actorName === kind || actorKind === "SYSTEM" ? kind : `${actorName}（${kind}）`;
}
