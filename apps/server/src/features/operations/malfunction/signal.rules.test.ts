// Rules that turn signals into malfunctions: debounced, opened once, and recovered when the
// condition ends.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  judgeSignal,
  ruleOf,
  type SignalKind,
  type SignalProgress,
  signalRules,
  signalText,
} from "./signal.rules.ts";

const NOW = 1_000_000_000;
const S = 1_000;
const progress = (kind: SignalKind, more: Partial<SignalProgress> = {}): SignalProgress => ({
  ...{ kind, isActive: true, beganMs: NOW, endedMs: null, lastMs: NOW },
  ...{ begins: 1, pending: 1, isReported: false, isMoot: false, ...more },
});
const judge = (kind: SignalKind, more: Partial<SignalProgress> = {}) =>
  judgeSignal(progress(kind, more), NOW);

describe("lasting condition", () => {
  it("is no malfunction before it has lasted", () => {
    expect(judge("POWER_LOW")).toMatchObject({ do: "NOTHING", dueMs: NOW + 60 * S });
    expect(judge("POWER_LOW", { beganMs: NOW - 61 * S })).toMatchObject({
      do: "COUNT",
      isReported: true,
    });
  });

  it("is no malfunction for a single flicker, but is one for frequent flickers", () => {
    const over = { isActive: false, endedMs: NOW };
    expect(judge("NETWORK_POOR", over)).toMatchObject({
      do: "NOTHING",
      isReported: false,
      dueMs: null,
    });
    expect(judge("NETWORK_POOR", { ...over, begins: 3 })).toMatchObject({
      ...{ do: "COUNT", isReported: true, dueMs: NOW + 300 * S },
    });
    expect(signalText({ kind: "NETWORK_POOR", begins: 3, isActive: false }, -113)).toBe(
      "网络信号弱（-113 dBm，30 分钟内反复出现 3 次）",
    );
  });

  it("recovers after it has been gone for a while", () => {
    const gone = { isActive: false, isReported: true, pending: 0 };
    expect(judge("POWER_LOW", { ...gone, endedMs: NOW - 10 * S })).toMatchObject({
      ...{ do: "NOTHING", isReported: true, dueMs: NOW + 110 * S },
    });
    expect(judge("POWER_LOW", { ...gone, endedMs: NOW - 121 * S })).toMatchObject({
      ...{ do: "END", isReported: false },
    });
  });

  it("at a door is polled until the door is shut", () => {
    const reported = { isReported: true, pending: 0 };
    expect(judge("DOOR_LEFT_OPEN")).toMatchObject({ do: "COUNT", dueMs: NOW + 15 * S });
    expect(judge("DOOR_LEFT_OPEN", reported)).toMatchObject({ do: "NOTHING", dueMs: NOW + 15 * S });
    expect(judge("DOOR_LEFT_OPEN", { ...reported, isMoot: true })).toMatchObject({ do: "END" });
    expect(judge("DOOR_LEFT_OPEN", { isMoot: true })).toMatchObject({ do: "NOTHING" });
  });
});

describe("momentary conditions", () => {
  it("vibration: one malfunction from the third knock on, recovered after an hour of quiet", () => {
    expect(judge("VIBRATION", { begins: 2 })).toMatchObject({ do: "NOTHING", isReported: false });
    const reported = judge("VIBRATION", { begins: 3 });
    expect(reported).toMatchObject({ do: "COUNT", isReported: true, dueMs: NOW + 3600 * S });
    const quiet = { begins: 3, pending: 0, isReported: true, lastMs: NOW - 3601 * S };
    expect(judge("VIBRATION", quiet)).toMatchObject({ do: "END", isActive: false });
  });

  it("tamper: one malfunction each, never recovered automatically", () => {
    expect(judge("TAMPER")).toMatchObject({ do: "COUNT", isReported: false, dueMs: null });
    expect(judge("TAMPER", { pending: 0 })).toMatchObject({ do: "NOTHING", dueMs: null });
  });
});

describe("failed openings", () => {
  it("open a malfunction from the second in a row on, and an opening that works recovers it", () => {
    expect(judge("OPEN_FAILED")).toMatchObject({ do: "NOTHING", dueMs: null });
    expect(judge("OPEN_FAILED", { begins: 2 })).toMatchObject({ do: "COUNT", isReported: true });
    const opened = { isActive: false, begins: 0, pending: 0, isReported: true, endedMs: NOW };
    expect(judge("OPEN_FAILED", opened)).toMatchObject({ do: "END", isReported: false });
  });
});

const kinds = Object.keys(signalRules) as SignalKind[];
const anySignal = fc.record<SignalProgress>({
  kind: fc.constantFrom(...kinds),
  isActive: fc.boolean(),
  beganMs: fc.integer({ min: NOW - 7200 * S, max: NOW }),
  endedMs: fc.option(fc.integer({ min: NOW - 7200 * S, max: NOW })),
  lastMs: fc.integer({ min: NOW - 7200 * S, max: NOW }),
  begins: fc.nat(6),
  pending: fc.nat(6),
  isReported: fc.boolean(),
  isMoot: fc.boolean(),
});

describe("any condition", () => {
  it("ends only a reported malfunction, opens only from reports, and is never due in the past", () => {
    fc.assert(
      fc.property(anySignal, (signal) => {
        const step = judgeSignal(signal, NOW);
        if (step.do === "END") expect(signal.isReported && !step.isReported).toBe(true);
        if (step.do === "COUNT" && signal.isReported) expect(signal.pending).toBeGreaterThan(0);
        if (step.do === "NOTHING" && step.dueMs !== null) expect(step.dueMs).toBeGreaterThan(NOW);
        if (!step.isReported && ruleOf(signal.kind).calmSeconds !== null && signal.isReported) {
          expect(step.do).toBe("END");
        }
      }),
    );
  });
});
