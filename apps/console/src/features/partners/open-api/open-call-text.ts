// Display texts and tones of a third-party call's outcome.
import { openRefusalText } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type {
  OpenCall,
  OpenCallOutcome,
} from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import {
  isOpenError,
  openErrorText,
} from "@cabinet/contract/partners/open-api/open-error.rules.ts";
import type { Tone } from "../../../ui/display/tone.rules.ts";

export const outcomeText: Record<OpenCallOutcome, string> = {
  OK: "成功",
  REFUSED: "未满足条件",
  UNPROVEN: "未通过验证",
  FAILED: "系统错误",
};

export const outcomeTone: Record<OpenCallOutcome, Tone> = {
  OK: "good",
  REFUSED: "doubtful",
  UNPROVEN: "bad",
  FAILED: "bad",
};

/** Error returned to the third party, or why verification failed; empty on success. */
export function resultText({ outcome, result, refusal }: OpenCall): string {
  if (refusal) return openRefusalText[refusal];
  if (outcome === "OK") return "";
  return isOpenError(result) ? `${openErrorText[result]}（${result}）` : result;
}
