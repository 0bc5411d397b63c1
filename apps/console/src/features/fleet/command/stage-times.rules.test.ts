// Stage durations of a command add up to its total, whichever stages it had.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stageTimes } from "./stage-times.rules.ts";

const createdAt = "2026-11-21T00:00:00.000Z";
const after = (ms: number) => new Date(Date.parse(createdAt) + ms).toISOString();

describe("stage durations of a command", () => {
  it("are named by what was awaited", () => {
    const stamps = { createdAt, sentAt: after(6), ackedAt: after(140), settledAt: after(390) };
    expect(stageTimes({ kind: "OPEN", ...stamps })).toEqual([
      { stage: "QUEUE", text: "平台下发", ms: 6 },
      { stage: "CABINET", text: "设备执行", ms: 134 },
      { stage: "DOOR", text: "门磁确认", ms: 250 },
    ]);
    expect(stageTimes({ kind: "RESTART", ...stamps })[2]?.text).toBe("设备重新上线");
    const refused = { createdAt, sentAt: after(6), ackedAt: null, settledAt: after(120) };
    expect(stageTimes({ kind: "OPEN", ...refused }).map(({ text }) => text)).toEqual([
      "平台下发",
      "等待结果",
    ]);
  });

  it("are never negative and add up to the total", () => {
    const stamp = fc.option(fc.nat(100_000));
    fc.assert(
      fc.property(stamp, stamp, stamp, (sent, acked, settled) => {
        const at = (ms: number | null) => (ms === null ? null : after(ms));
        const times = stageTimes({
          kind: "OPEN",
          createdAt,
          sentAt: at(sent),
          ackedAt: at(acked),
          settledAt: at(settled),
        });
        expect(times.every(({ ms }) => ms >= 0)).toBe(true);
        const total = times.reduce((sum, { ms }) => sum + ms, 0);
        expect(total).toBe(Math.max(0, sent ?? 0, acked ?? 0, settled ?? 0));
      }),
    );
  });
});
