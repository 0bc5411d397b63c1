// Password strength (promise A5): the shared rules, then an estimate of how soon guessing finds the password.
import {
  GUESSABLE_RULE,
  passwordWeakness,
} from "@cabinet/contract/identity/auth/password.rules.ts";
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { chineseWords } from "./chinese-words.rules.ts";

/** Score of the estimate: 3 means more than 10⁸ guesses. */
const LEAST_SCORE = 3;
/** Longer passwords are judged by their beginning: the estimate takes time with the square of the length. */
const JUDGED_LENGTH = 48;

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Loads the dictionaries, 50 MB in memory, with the first password that is set. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary, chineseWords },
    graphs: common.adjacencyGraphs,
  });
}

/** The rule that the password does not meet; null when it meets all. */
export async function weaknessOf(password: string, username: string): Promise<string | null> {
  const weakness = passwordWeakness(password, username);
  if (weakness) return weakness;
  estimator ??= loadEstimator();
  const { score } = (await estimator).check(password.slice(0, JUDGED_LENGTH), [username]);
  return score < LEAST_SCORE ? GUESSABLE_RULE : null;
}
