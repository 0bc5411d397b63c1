// Worker thread that estimates how soon guessing finds a password.
import { parentPort } from "node:worker_threads";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as english from "@zxcvbn-ts/language-en";
import { pinyin } from "pinyin-pro";
import { chineseWords, productNames } from "./chinese-words.rules.ts";
import { estimateParts, type PartsEstimate } from "./password-parts.rules.ts";

/** Message to this thread; it answers each with a `Judgement`. */
export interface Judged {
  password: string;
  username: string;
  /** Names of the account's person and tenant, in Chinese or not. */
  names: readonly string[];
}

export interface Judgement {
  /** Score of the library, 0 to 4. */
  score: number;
  parts: PartsEstimate;
}

const dictionary = { ...common.dictionary, ...english.dictionary, chineseWords };
const estimator = new ZxcvbnFactory({ dictionary, graphs: common.adjacencyGraphs });

/** The library adds 10⁴ guesses for each further part, so that a word, a sign and a year pass: `caiwu@2026`. */
const ranks = new Map<string, number>();
for (const words of Object.values(dictionary)) {
  for (const [at, word] of (words as readonly (string | number)[]).entries()) {
    const rank = ranks.get(`${word}`);
    if (rank === undefined || rank > at + 1) ranks.set(`${word}`, at + 1);
  }
}

/** A name as people type it: `禾木智存` as hemuzhicun, hemu, zhicun and hmzc. */
function spellingsOf(name: string): string[] {
  const syllables = pinyin(name, { toneType: "none", type: "array", v: true, nonZh: "removed" });
  const plain = name.toLowerCase().replace(/[^a-z]/g, "");
  const tails = [plain, syllables.join(""), syllables.map(([first = ""]) => first).join("")];
  for (const from of syllables.keys()) {
    for (const count of [2, 3, 4]) tails.push(syllables.slice(from, from + count).join(""));
  }
  return tails.filter((text) => text.length > 2);
}

parentPort?.on("message", ({ password, username, names }: Judged) => {
  const own = [...new Set([username, ...names].flatMap(spellingsOf)), ...productNames];
  const { score } = estimator.check(password, [username, ...own]);
  const judgement: Judgement = { score, parts: estimateParts(password, { ranks, own }) };
  parentPort?.postMessage(judgement);
});
