// Key ids: the day of issue and random letters, readable over the telephone.
import { randomInt } from "node:crypto";

const LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";

export function randomLetters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** Format `k261121-x7f3q`; `today` as `2026-11-21`. */
export function newKid(today: string, taken: ReadonlySet<string>): string {
  for (;;) {
    const kid = `k${today.slice(2).replaceAll("-", "")}-${randomLetters(5)}`;
    if (!taken.has(kid)) return kid;
  }
}
