// Both languages name the same facts, and English has a sentence for each refusal that people can meet.

import { expect, test } from "vitest";
import calls from "../../../../packages/contract/src/refusals.json" with { type: "json" };
import { en, refusals } from "./en.ts";
import { zh } from "./zh.ts";

const factsOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([fact]) => fact).sort();

test("texts: each sentence has the same facts in both languages", () => {
  for (const key of Object.keys(zh) as (keyof typeof zh)[]) {
    expect([key, factsOf(en[key])]).toEqual([key, factsOf(zh[key])]);
  }
});

/** Refusals of requests that the page does not send; a repeat in flight counts as no answer, and a due captcha is solved. */
const UNREACHABLE = [
  ...["CALLER_GONE", "JOURNAL_TAKEN", "TOP_UP_AMOUNT_MISSING", "WEB_PAGE_OF_ONE"],
  ...["APP_RESERVATIONS_FULL", "CAPTCHA_DUE"],
  ...["IDEMPOTENCY_KEY_INVALID", "REPEAT_DIFFERS", "REPEAT_IN_FLIGHT"],
  ...["PHONE_CODE_WRONG", "PHONE_NOT_MAINLAND"],
  ...["WECHAT_BUSY", "WECHAT_CODE_WRONG", "WECHAT_SIGN_IN_OFF", "WECHAT_USER_RISKY"],
];

test("texts: English has a sentence for each refusal of the app's calls", () => {
  const ofApp = Object.entries(calls).filter(([call]) =>
    /^app(-order|-wallet|-notice|-page)?\./.test(call),
  );
  const codes = new Set(ofApp.flatMap(([, each]) => each as string[]));
  const missing = [...codes].filter((code) => !(code in refusals) && !UNREACHABLE.includes(code));
  expect(missing).toEqual([]);
});
