// Protocols §3: when staff are notified about failing webhooks.
import { describe, expect, it } from "vitest";
import { newTrouble, type TroubleFacts } from "./webhook-trouble.rules.ts";

const CALM_MS = 30 * 60_000;
const now = 1_800_000_000_000;
const well: TroubleFacts = {
  ...{ state: null, stateMs: 0, deadMs: null, lastSuccessMs: null },
  ...{ toldMs: null, toldTrouble: null, nowMs: now },
};
const told = (facts: Partial<TroubleFacts>) => newTrouble({ ...well, ...facts }, CALM_MS);
const ago = (minutes: number) => now - minutes * 60_000;

describe("newTrouble", () => {
  it("reports nothing while all is well, and each trouble once", () => {
    expect(told({})).toBe(null);
    expect(told({ state: "FAILING", stateMs: ago(1) })).toBe("FAILING");
    expect(told({ state: "GONE", stateMs: ago(1) })).toBe("GONE");
    expect(told({ deadMs: ago(1) })).toBe("DEAD");
    for (const state of ["FAILING", "GONE"] as const) {
      expect(told({ state, stateMs: ago(60), toldMs: ago(50), toldTrouble: state })).toBe(null);
    }
    expect(told({ deadMs: ago(60), toldMs: ago(50), toldTrouble: "DEAD" })).toBe(null);
  });

  it("reports a worse trouble at once", () => {
    const failing = { state: "FAILING", stateMs: ago(9), toldMs: ago(8), toldTrouble: "FAILING" };
    expect(told({ ...(failing as Partial<TroubleFacts>), deadMs: ago(1) })).toBe("DEAD");
    const dead = { toldMs: ago(8), toldTrouble: "DEAD" } as const;
    expect(told({ ...dead, state: "GONE", stateMs: ago(1) })).toBe("GONE");
  });

  it("reports given-up deliveries once until a delivery succeeds again", () => {
    const dead = { deadMs: ago(1), toldMs: ago(600), toldTrouble: "DEAD" } as const;
    expect(told({ ...dead, lastSuccessMs: ago(700) })).toBe(null);
    expect(told({ ...dead, lastSuccessMs: ago(30) })).toBe("DEAD");
  });

  it("reports a recurring trouble only after the calm period", () => {
    const again = { state: "FAILING", stateMs: ago(1), toldTrouble: "FAILING" } as const;
    expect(told({ ...again, toldMs: ago(29) })).toBe(null);
    expect(told({ ...again, toldMs: ago(31) })).toBe("FAILING");
    const dead = { deadMs: ago(1), lastSuccessMs: ago(2), toldTrouble: "DEAD" } as const;
    expect(told({ ...dead, toldMs: ago(29) })).toBe(null);
  });
});
