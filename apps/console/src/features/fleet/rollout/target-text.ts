// Text for the state of a roll-out's target.
import { connectivityText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { RolloutTarget } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { targetStateText } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import { formatTime } from "../../../kit/format.ts";

/** State of a target; a waiting one names what it waits for. */
export function targetText({
  state,
  connectivity,
  notBefore,
}: Pick<RolloutTarget, "state" | "connectivity" | "notBefore">): string {
  if (state !== "WAITING") return targetStateText[state];
  if (connectivity !== "ONLINE") return `${connectivityText[connectivity]}，上线后下发`;
  return notBefore ? `推迟到 ${formatTime(notBefore)}` : targetStateText.WAITING;
}
