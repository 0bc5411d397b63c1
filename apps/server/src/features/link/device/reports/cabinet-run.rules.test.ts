// Tests that two cabinets with one identity are told from one that reboots, loses its memory or has a poor network.
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CabinetRun, heardAgain, judgeBirth } from "./cabinet-run.rules.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** One command was sent, and this is the number of the newest one that the cabinet knows. */
const known = { commandSeq: 1, acknowledgedSeq: 0 };

/** A cabinet that started at this time. */
const cabinet = (bootNo: number, startedMs: number, lastSeq = known.commandSeq) => {
  let n = 0;
  return (atMs: number, wayMs = 0) => ({
    ...{ bootNo, n: ++n, mono: atMs - startedMs, lastSeq },
    atMs: atMs + wayMs,
  });
};

/** Which of these births, in the order of their arrival, show that two cabinets share the identity. */
function judgeAll(births: ReturnType<ReturnType<typeof cabinet>>[], commands = known) {
  let run: CabinetRun | null = null;
  return births.map((birth) => {
    const { isShared, isContinued, ...judged } = judgeBirth(run, birth, commands);
    const line = { bootNo: 0, epoch: 0, seq: commands.commandSeq, atMs: birth.atMs };
    run = isContinued ? judged.run : { ...judged.run, line };
    return { isShared, isContinued };
  });
}
const sharedAt = (births: Parameters<typeof judgeAll>[0]) =>
  judgeAll(births).findIndex(({ isShared }) => isShared);

it.each([
  ["higher", 9],
  ["lower", 2],
])("copied card with a %s boot number: named after the second take-over", (_, bootNo) => {
  const [one, other] = [cabinet(5, 0), cabinet(bootNo, MINUTE, 0)];
  const births = [one(2 * MINUTE), other(5 * MINUTE), one(5 * MINUTE + SECOND)];
  expect(sharedAt(births)).toBe(2);
  expect(judgeAll(births).map(({ isContinued }) => isContinued)).toEqual([true, false, false]);
});

it("copied card, both switched on at once with the same boot number: named within a minute", () => {
  const [one, other] = [cabinet(5, 0), cabinet(5, 3 * SECOND)];
  const births = Array.from({ length: 20 }, (_, at) =>
    (at % 2 ? other : one)(MINUTE + at * 2 * SECOND),
  );
  expect(sharedAt(births)).toBeGreaterThan(0);
});

it("poor network: one cabinet that reconnects is never named, and is followed", () => {
  const gap = fc.integer({ min: 100, max: 10 * MINUTE });
  const way = fc.integer({ min: 0, max: 2 * MINUTE });
  fc.assert(
    fc.property(fc.array(fc.tuple(gap, way), { maxLength: 60 }), (reconnects) => {
      const one = cabinet(5, 0);
      let atMs = MINUTE;
      const births = reconnects.map(([gapMs, wayMs]) => {
        atMs += gapMs;
        return one(atMs, wayMs);
      });
      expect(judgeAll(births).filter((each) => each.isShared || !each.isContinued)).toEqual([]);
    }),
  );
});

it.each([
  ["counts its starts", (start: number) => 5 + start],
  ["forgets its boot number", () => 1],
])("cabinet that %s, restarting again and again: never named", (_, bootNoOf) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 20 * SECOND, max: 10 * MINUTE })), (gaps) => {
      let atMs = 0;
      const births = gaps.flatMap((gapMs, start) => {
        atMs += gapMs;
        const one = cabinet(bootNoOf(start), atMs);
        return [one(atMs + 5 * SECOND), one(atMs + 10 * SECOND)];
      });
      expect(sharedAt(births)).toBe(-1);
    }),
  );
});

it("clock that runs on over restarts of the program: never named", () => {
  const [first, second, third] = [cabinet(5, 0), cabinet(6, 0), cabinet(7, 0)];
  const births = [first(MINUTE), second(2 * MINUTE), second(3 * MINUTE), third(4 * MINUTE)];
  expect(sharedAt(births)).toBe(-1);
  const forgotten = [1, 2, 3, 4, 5].map((minute) => cabinet(1, 0)(minute * MINUTE));
  expect(sharedAt(forgotten)).toBe(-1);
});

it("births of one start in another order: one or two of them prove nothing", () => {
  const one = cabinet(5, 0);
  const births = [MINUTE, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE].map((atMs) => one(atMs));
  const [first, second, third, fourth] = births;
  if (!first || !second || !third || !fourth) throw new Error("four births");
  const lateMs = 5 * MINUTE;
  expect(sharedAt([second, { ...first, atMs: lateMs }, fourth, { ...third, atMs: lateMs }])).toBe(
    -1,
  );
});

const isContinued = (births: Parameters<typeof judgeAll>[0], commands = known) =>
  judgeAll(births, commands).map((each) => each.isContinued);

it("restart of a cabinet that forgets its boot number: continues with the newest command, else not", () => {
  const restart = (lastSeq: number) => [
    cabinet(1, 0)(MINUTE),
    cabinet(1, 2 * MINUTE, lastSeq)(3 * MINUTE),
  ];
  expect(isContinued(restart(1))).toEqual([true, true]);
  expect(isContinued(restart(0))).toEqual([true, false]);
});

it("command lost on its way: a reconnect and the next start continue", () => {
  const [one, next] = [cabinet(5, 0, 0), cabinet(6, 4 * MINUTE, 0)];
  expect(isContinued([one(MINUTE), one(2 * MINUTE), next(5 * MINUTE)])).toEqual([true, true, true]);
});

it("start that has forgotten an acknowledged command: is not continued", () => {
  const births = [cabinet(5, 0)(MINUTE), cabinet(6, 2 * MINUTE, 0)(3 * MINUTE)];
  expect(isContinued(births, { commandSeq: 2, acknowledgedSeq: 1 })).toEqual([true, false]);
});

it("after a break: a higher boot number continues only with a command that was sent since, for a day", () => {
  const broken = [cabinet(40, 0)(MINUTE), cabinet(1, 2 * MINUTE, 0)(3 * MINUTE)];
  const DAY = 24 * 60 * MINUTE;
  const next = (atMs: number) => cabinet(2, atMs)(atMs + MINUTE);
  expect(isContinued([...broken, next(5 * MINUTE)])).toEqual([true, false, false]);
  expect(isContinued([...broken, next(5 * MINUTE + DAY)])).toEqual([true, false, true]);
});

it("clock that was ahead during a break: a day later restarts continue, not after that date", () => {
  const DAY = 24 * 60 * MINUTE;
  const commands = { commandSeq: 9, acknowledgedSeq: 5 };
  const line = { bootNo: 1, epoch: 1, seq: 9, atMs: 40 * DAY };
  const start = (bootNo: number, atMs: number) => ({
    ...{ bootNo, n: 1, mono: SECOND, atMs, lastSeq: 7 },
  });
  const ahead = { bootNo: 1, n: 1, mono: SECOND, atMs: 40 * DAY, line };
  const run = { ...ahead, replaced: null, score: 2, scoredMs: 40 * DAY };
  const first = judgeBirth(run, start(2, DAY), commands);
  expect(first).toMatchObject({ isContinued: false, isShared: false });
  expect(judgeBirth(first.run, start(3, 2 * DAY + MINUTE), commands).isContinued).toBe(true);
});

it("heartbeats: keep the run's time, and those of another start change nothing", () => {
  const birth = { bootNo: 5, n: 1, mono: SECOND, atMs: MINUTE, lastSeq: 0 };
  const { run } = judgeBirth(null, birth, known);
  const heard = heardAgain(run, { bootNo: 5, mono: MINUTE, atMs: 2 * MINUTE });
  expect(heard).toEqual({ ...run, mono: MINUTE, atMs: 2 * MINUTE });
  expect(heardAgain(run, { bootNo: 4, mono: MINUTE, atMs: 2 * MINUTE })).toBe(run);
});
