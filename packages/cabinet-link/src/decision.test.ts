// Tests the cabinet's decision on a command: order of the checks and safety properties.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CabinetNow,
  type CommandMemory,
  checkBeforePulse,
  decideCommand,
  entryOf,
  JOURNAL_SIZE,
  type OpenCommand,
  openFrame,
  remember,
  sealUp,
  serverTimeAt,
  splitSnapshot,
  syncClock,
} from "./index.ts";

const now: CabinetNow = {
  lastSeq: 10,
  journal: [{ cmdId: "cmd-0010", seq: 10, stage: "CONFIRMED" }],
  epoch: 7,
  serverNow: 1_000_000,
  compartments: [
    { no: 1, front: "CLOSED", item: "EMPTY" },
    { no: 2, front: "CLOSED", back: "OPEN", item: "EMPTY" },
    { no: 3, front: "UNKNOWN", item: "UNKNOWN" },
    { no: 4, front: "OPEN", item: "PRESENT" },
  ],
  awaiting: new Set(),
};
const open: OpenCommand = {
  v: 1,
  cmdId: "cmd-0011",
  epoch: 7,
  seq: 11,
  iat: 1_000_000,
  exp: 1_015_000,
  type: "OPEN",
  no: 1,
  side: "FRONT",
};

const cases: [string, Partial<CabinetNow>, Partial<OpenCommand>, object][] = [
  ["all is well", {}, {}, { do: "START" }],
  ["a copy of a finished command", {}, { cmdId: "cmd-0010", seq: 10 }, stage("CONFIRMED")],
  [
    "the same id under a new seq and epoch",
    { epoch: 8 },
    { cmdId: "cmd-0010", seq: 11 },
    stage("CONFIRMED"),
  ],
  [
    "a copy of the one in progress",
    { journal: [{ cmdId: "cmd-0011", seq: 11, stage: "STARTED" }] },
    {},
    { do: "IGNORE" },
  ],
  ["no hello yet", { epoch: undefined }, {}, refused("PERSIST_AND_REPLY", "NO_SESSION")],
  ["no clock yet", { serverNow: undefined }, {}, refused("PERSIST_AND_REPLY", "NO_SESSION")],
  ["an old epoch", { epoch: 8 }, {}, refused("PERSIST_AND_REPLY", "WRONG_EPOCH")],
  ["epoch before expiry", { epoch: 8 }, { exp: 1 }, refused("PERSIST_AND_REPLY", "WRONG_EPOCH")],
  ["a skipped seq in an old epoch", { epoch: 8 }, { seq: 9 }, refused("REPLY", "WRONG_EPOCH")],
  ["a skipped seq", {}, { seq: 9 }, refused("REPLY", "STALE_SEQ")],
  ["a stale seq with the journal lost", { journal: [] }, { seq: 9 }, stage("UNKNOWN")],
  ["expired at this very instant", {}, { exp: 1_000_000 }, { do: "PERSIST_AND_REPLY" }],
  ["expiry before the door", {}, { exp: 1, no: 4 }, { entry: { stage: "EXPIRED" } }],
  ["valid for too long", {}, { exp: 1_060_001 }, refused("PERSIST_AND_REPLY", "BAD_EXPIRY")],
  [
    "issued far in the future",
    {},
    { iat: 9_000_000, exp: 9_015_000 },
    refused("PERSIST_AND_REPLY", "BAD_EXPIRY"),
  ],
  ["no such compartment", {}, { no: 9 }, refused("PERSIST_AND_REPLY", "NO_SUCH_DOOR")],
  ["no such side", {}, { side: "BACK" }, refused("PERSIST_AND_REPLY", "NO_SUCH_DOOR")],
  ["already open", {}, { no: 4 }, refused("PERSIST_AND_REPLY", "DOOR_OPEN")],
  ["the other side is open", {}, { no: 2 }, refused("PERSIST_AND_REPLY", "OTHER_SIDE_OPEN")],
  ["a blind sensor", {}, { no: 3 }, refused("PERSIST_AND_REPLY", "DOOR_UNKNOWN")],
  ["a blind sensor accepted", {}, { no: 3, expect: { door: "NOT_OPEN" } }, { do: "START" }],
  [
    "goods where none should be",
    { compartments: [{ no: 1, front: "CLOSED", item: "PRESENT" }] },
    { expect: { item: "EMPTY" } },
    refused("PERSIST_AND_REPLY", "ITEM_MISMATCH"),
  ],
  [
    "a pulse there not yet seen",
    { awaiting: new Set([1]) },
    {},
    refused("PERSIST_AND_REPLY", "BUSY"),
  ],
  ["a pulse elsewhere", { awaiting: new Set([2]) }, {}, { do: "START" }],
];

function stage(name: string) {
  return { do: "REPLY", entry: { stage: name } };
}

function refused(how: string, reason: string) {
  return { do: how, entry: { stage: "REJECTED", reason } };
}

describe("decideCommand", () => {
  test.each(cases)("%s", (_name, facts, command, expected) => {
    expect(decideCommand({ ...now, ...facts }, { ...open, ...command })).toMatchObject(expected);
  });

  test("expiry is checked again before the pulse", () => {
    expect(checkBeforePulse(open, open.exp - 1)).toBe("ACT");
    expect(checkBeforePulse(open, open.exp)).toBe("EXPIRED");
  });

  test("each command starts at most once, in any order and number of copies", () => {
    const arrivals = fc.array(fc.integer({ min: 1, max: 150 }), { maxLength: 400 });
    fc.assert(
      fc.property(arrivals, (seqs) => {
        let memory: CommandMemory = { lastSeq: 0, journal: [] };
        const started = new Map<number, number>();
        for (const seq of seqs) {
          const command = { ...open, seq, cmdId: `cmd-${String(seq).padStart(4, "0")}` };
          const decision = decideCommand({ ...now, ...memory }, command);
          if (decision.do === "START") {
            started.set(seq, (started.get(seq) ?? 0) + 1);
            memory = remember(memory, entryOf(command, "STARTED"));
            memory = remember(memory, entryOf(command, "CONFIRMED"));
          } else if (decision.do === "REPLY" && decision.entry.stage === "REJECTED") {
            expect(started.has(seq)).toBe(false);
          }
        }
        expect([...started.values()].every((count) => count === 1)).toBe(true);
        expect(memory.journal.length).toBeLessThanOrEqual(JOURNAL_SIZE);
      }),
    );
  });
});

test("syncClock: never behind server time, whatever the latency of birth and hello", () => {
  const span = fc.nat(60_000);
  const drift = fc.double({ min: -100e-6, max: 100e-6, noNaN: true });
  fc.assert(
    fc.property(span, span, fc.nat(6 * 3_600_000), drift, (birthTrip, helloTrip, later, ppm) => {
      const serverAt = (ms: number) => 1_795_262_400_000 + ms;
      const mono = (ms: number) => 5_000 + ms * (1 + ppm);
      const received = birthTrip + helloTrip;
      const clock = syncClock(serverAt(birthTrip), mono(0), mono(received));
      const ahead = serverTimeAt(clock, mono(received + later)) - serverAt(received + later);
      expect(ahead).toBeGreaterThanOrEqual(-0.01);
      expect(ahead).toBeLessThanOrEqual(clock.uncertaintyMs + 200e-6 * (received + later) + 1);
    }),
    // The slowest quartz for as long as one synchronisation holds.
    { examples: [[0, 0, 6 * 3_600_000, -100e-6]] },
  );
});

test("splitSnapshot: the largest snapshot fits into its parts, complete and in order", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(64), (doors, commands) => {
      const compartments = Array.from({ length: doors }, (_, at) => ({
        no: 9000 + at,
        front: "UNKNOWN" as const,
        back: "UNKNOWN" as const,
        item: "UNKNOWN" as const,
      }));
      const journal = Array.from({ length: commands }, (_, at) => ({
        cmdId: `0193c1a2-7b1c-7d3e-9f00-${String(at).padStart(12, "0")}`,
        seq: Number.MAX_SAFE_INTEGER - at,
        stage: "NOT_CONFIRMED" as const,
        reason: "X".repeat(40),
      }));
      const parts = splitSnapshot(journal, compartments);
      expect(parts.flatMap((part) => part.journal)).toEqual(journal);
      expect(parts.flatMap((part) => part.compartments)).toEqual(compartments);
      for (const part of parts) {
        const key = { up: Buffer.alloc(32) };
        const { topic, payload } = sealUp(key, "A".repeat(32), "birth", {
          bootNo: Number.MAX_SAFE_INTEGER,
          n: Number.MAX_SAFE_INTEGER,
          mono: Number.MAX_SAFE_INTEGER,
          at: Number.MAX_SAFE_INTEGER,
          nonce: "n".repeat(64),
          lastSeq: Number.MAX_SAFE_INTEGER,
          side: "DOUBLE",
          appVersion: "9".repeat(40),
          boardVersion: "9".repeat(40),
          capabilities: Array.from({ length: 20 }, () => "C".repeat(20)),
          configVersion: Number.MAX_SAFE_INTEGER,
          ...part,
        });
        expect(openFrame(key.up, topic, payload).ok).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});
