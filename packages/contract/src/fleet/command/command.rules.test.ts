// Tests the command states: allowed transitions and contradicting reports.
import { describe, expect, it } from "vitest";
import { COMMAND_STATES, contradicts, mayFollow } from "./command.rules.ts";

describe("contradicting states", () => {
  it("never follow each other", () => {
    for (const from of COMMAND_STATES) {
      for (const to of COMMAND_STATES) {
        if (contradicts(from, to)) expect(mayFollow(from, to), `${from} → ${to}`).toBe(false);
        expect(contradicts(to, from)).toBe(contradicts(from, to));
      }
    }
  });

  it.each([
    ["REJECTED", "CONFIRMED", true],
    ["EXPIRED", "ACKED", true],
    ["ACKED", "FAILED", true],
    ["CONFIRMED", "NOT_CONFIRMED", false],
    ["REJECTED", "EXPIRED", false],
    ["UNKNOWN", "REJECTED", false],
    ["SENT", "CONFIRMED", false],
  ] as const)("%s and %s: %s", (known, reported, isConflict) => {
    expect(contradicts(known, reported)).toBe(isConflict);
  });
});
