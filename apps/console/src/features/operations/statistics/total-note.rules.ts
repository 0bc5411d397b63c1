// Note under the number of devices: those that the cards for 在线 and 离线 do not count.
import type { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";

export type CabinetCounts = Reply<typeof cabinetContract.statistics>;

/** Retired cabinets are in the linked list but not in the card's total. */
export function totalNote({ total, online, offline, never, retired }: CabinetCounts): string {
  const connecting = total - online - offline - never;
  const within = [connecting && `${connecting} 台连接中`, never && `${never} 台从未连接`];
  const included = within.filter(Boolean).join("、");
  return [included && `其中 ${included}`, retired && `另有 ${retired} 台已停用`]
    .filter(Boolean)
    .join("，");
}
