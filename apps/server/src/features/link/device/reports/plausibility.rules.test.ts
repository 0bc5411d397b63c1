import { describe, expect, it } from "vitest";
import {
  brokenCounter,
  countedAnew,
  isMonoReset,
  numbersAfterBirth,
  plausibleTime,
} from "./plausibility.rules.ts";

const MAX = Number.MAX_SAFE_INTEGER;
const absurd = [2 ** 31, 2 ** 32 - 1, MAX];

describe("report numbers", () => {
  const known = { bootBase: 3, bootNo: 8, lastN: 40 };

  it("follow: the next report, the next start, an earlier start, a replaced storage", () => {
    for (const report of [
      { bootNo: 5, n: 41 },
      { bootNo: 6, n: 1 },
      { bootNo: 4, n: MAX },
      { bootNo: 1, n: 1 },
      { bootNo: 0, n: 0 },
    ]) {
      expect(brokenCounter(report, known)).toBeNull();
    }
    const unknown = { bootBase: 0, bootNo: null, lastN: null };
    expect(brokenCounter({ bootNo: 1, n: 1 }, unknown)).toBeNull();
  });

  it.each(absurd)("%d does not follow, in either counter", (value) => {
    expect(brokenCounter({ bootNo: value, n: 1 }, known)).toBe("bootNo");
    expect(brokenCounter({ bootNo: 5, n: value }, known)).toBe("n");
    expect(brokenCounter({ bootNo: 6, n: value }, known)).toBe("n");
  });

  it.each(absurd)(
    "a birth with %d counts anew above all that is known, and so does the next",
    (value) => {
      const birth = { bootNo: value, n: value, part: 1 };
      const after = countedAnew(birth, known);
      expect(after.bootBase + value).toBe(9);
      expect(brokenCounter(birth, after)).toBeNull();
      const next = { bootNo: 6, n: 2, part: 2 };
      expect(brokenCounter(next, after)).toBe("bootNo");
      expect(countedAnew(next, after)).toEqual({ bootBase: 4, bootNo: 10, lastN: 0 });
    },
  );
});

it("monotonic time: a heartbeat long before the known one shows that this was wrong", () => {
  expect(isMonoReset(5_000, 6_000)).toBe(false);
  for (const value of absurd) expect(isMonoReset(5_000, value)).toBe(true);
});

describe("command numbers", () => {
  const known = { commandSeq: 50, acknowledgedSeq: 48 };
  const normal = { isMemoryLost: false, isFarAhead: false };

  it("rise with the cabinet's", () => {
    const same = { commandSeq: 50, acknowledgedSeq: 49, ...normal };
    expect(numbersAfterBirth(49, known)).toEqual(same);
    const ahead = { commandSeq: 1_000, acknowledgedSeq: 1_000, ...normal };
    expect(numbersAfterBirth(1_000, known)).toEqual(ahead);
    expect(numbersAfterBirth(0, known)).toMatchObject({ ...known, isMemoryLost: true });
  });

  it("far ahead: nothing is known of earlier commands, and later ones have numbers above", () => {
    const lost = { acknowledgedSeq: 48, isMemoryLost: true, isFarAhead: true };
    expect(numbersAfterBirth(2 ** 31, known)).toEqual({ ...lost, commandSeq: 2 ** 31 });
    expect(numbersAfterBirth(MAX, known)).toEqual({ ...lost, commandSeq: 51 });
  });

  it("without room left: go on from a number that has some", () => {
    const numbers = numbersAfterBirth(7, { commandSeq: 2 ** 53, acknowledgedSeq: MAX });
    expect(numbers).toMatchObject({ commandSeq: 2 ** 52, isMemoryLost: true });
  });

  it("stay below the protocol's limit, however often a cabinet raises them", () => {
    let numbers = { commandSeq: 0, acknowledgedSeq: 0 };
    for (const lastSeq of [2 ** 52, MAX, 2 ** 52 + 1, MAX - 1]) {
      numbers = numbersAfterBirth(lastSeq, numbers);
      expect(numbers.commandSeq).toBeLessThan(2 ** 52 + 10);
    }
  });
});

it("device times: from 30 days ago until tomorrow", () => {
  const now = Date.UTC(2026, 10, 29);
  const day = 86_400_000;
  for (const at of [now, now - 29 * day, now + day]) expect(plausibleTime(at, now)).toBe(at);
  for (const at of [undefined, 0, now - 31 * day, now + day + 1, ...absurd]) {
    expect(plausibleTime(at, now)).toBeUndefined();
  }
});
