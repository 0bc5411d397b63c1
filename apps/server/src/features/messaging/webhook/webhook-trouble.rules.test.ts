// Protocols §3: when staff are notified about failing webhooks.
import { describe, expect, it } from "vitest";
import { newTrouble, type TroubleFacts } from "./webhook-trouble.rules.ts";

const CALM_MS = 30 * 60_000;
const now = 1_800_000_000_000;
const well: TroubleFacts = {
  ...{ state: null, stateMs: 0, deadMs: null, lastSuccessMs: null },
  ...{ notifiedMs: null, notifiedTrouble: null, nowMs: now },
};
const troubleOf = (facts: Partial<TroubleFacts>) => newTrouble({ ...well, ...facts }, CALM_MS);
const ago = (minutes: number) => now - minutes * 60_000;

describe("newTrouble", () => {
  it("reports nothing while all is well, and each trouble once", () => {
    expect(troubleOf({})).toBe(null);
    expect(troubleOf({ state: "FAILING", stateMs: ago(1) })).toBe("FAILING");
    expect(troubleOf({ state: "GONE", stateMs: ago(1) })).toBe("GONE");
    expect(troubleOf({ deadMs: ago(1) })).toBe("DEAD");
    for (const state of ["FAILING", "GONE"] as const) {
      expect(
        troubleOf({ state, stateMs: ago(60), notifiedMs: ago(50), notifiedTrouble: state }),
      ).toBe(null);
    }
    expect(troubleOf({ deadMs: ago(60), notifiedMs: ago(50), notifiedTrouble: "DEAD" })).toBe(null);
  });

  it("reports a worse trouble at once", () => {
    const failing = {
      state: "FAILING",
      stateMs: ago(9),
      notifiedMs: ago(8),
      notifiedTrouble: "FAILING",
    };
    expect(troubleOf({ ...(failing as Partial<TroubleFacts>), deadMs: ago(1) })).toBe("DEAD");
    const dead = { notifiedMs: ago(8), notifiedTrouble: "DEAD" } as const;
    expect(troubleOf({ ...dead, state: "GONE", stateMs: ago(1) })).toBe("GONE");
  });

  it("reports given-up deliveries once until a delivery succeeds again", () => {
    const dead = { deadMs: ago(1), notifiedMs: ago(600), notifiedTrouble: "DEAD" } as const;
    expect(troubleOf({ ...dead, lastSuccessMs: ago(700) })).toBe(null);
    expect(troubleOf({ ...dead, lastSuccessMs: ago(30) })).toBe("DEAD");
  });

  it("reports a recurring trouble only after the calm period", () => {
    const again = { state: "FAILING", stateMs: ago(1), notifiedTrouble: "FAILING" } as const;
    expect(troubleOf({ ...again, notifiedMs: ago(29) })).toBe(null);
    expect(troubleOf({ ...again, notifiedMs: ago(31) })).toBe("FAILING");
    const dead = { deadMs: ago(1), lastSuccessMs: ago(2), notifiedTrouble: "DEAD" } as const;
    expect(troubleOf({ ...dead, notifiedMs: ago(29) })).toBe(null);
  });
});
