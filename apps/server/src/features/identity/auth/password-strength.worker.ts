// Worker thread that estimates how soon guessing finds a password.
import { parentPort } from "node:worker_threads";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as english from "@zxcvbn-ts/language-en";
import { chineseWords } from "./chinese-words.rules.ts";

/** Message to this thread; it answers each with the score of the estimate, 0 to 4. */
export interface Judged {
  password: string;
  username: string;
}

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, chineseWords },
  graphs: common.adjacencyGraphs,
});

parentPort?.on("message", ({ password, username }: Judged) => {
  parentPort?.postMessage(estimator.check(password, [username]).score);
});
