// How a third party's call reads: what came of it, in words and tone.
import { openRefusalText } from "@cabinet/contract/open-api/open-api.rules.ts";
import type { OpenCall, OpenCallOutcome } from "@cabinet/contract/open-api/open-call.contract.ts";
import { isOpenError, openErrorText } from "@cabinet/contract/open-api/open-error.rules.ts";
import type { Tone } from "../../ui/tone.rules.ts";

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

/** What the third party was told, or why it was not believed. */
export function resultText({ outcome, result, refusal }: OpenCall): string {
  if (refusal) return openRefusalText[refusal];
  if (outcome === "OK") return "";
  return isOpenError(result) ? `${openErrorText[result]}（${result}）` : result;
}
