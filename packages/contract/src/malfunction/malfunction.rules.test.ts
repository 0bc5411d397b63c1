// The machine of malfunctions: which deed leads where, who may, and terms that make sense.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  deedProblem,
  dueAt,
  dueStageOf,
  houseSla,
  isOpenState,
  MALFUNCTION_DEEDS,
  MALFUNCTION_KINDS,
  MALFUNCTION_STATES,
  type MalfunctionState,
  type MovingDeed,
  mayDeed,
  SEVERITIES,
  severityOfKind,
  slaProblem,
  stateAfter,
} from "./malfunction.rules.ts";

const moving: MovingDeed[] = ["accept", "assign", "resolve", "close", "ignore", "reopen"];

describe("the machine", () => {
  it.each<[MovingDeed, MalfunctionState[]]>([
    ["accept", ["CREATED", "ASSIGNED"]],
    ["assign", ["CREATED", "ASSIGNED", "PROCESSING"]],
    ["resolve", ["PROCESSING"]],
    ["close", ["RESOLVED"]],
    ["ignore", ["CREATED", "ASSIGNED", "PROCESSING"]],
    ["reopen", ["RESOLVED", "CLOSED", "IGNORED"]],
  ])("%s is done in %j alone", (deed, states) => {
    expect(MALFUNCTION_STATES.filter((state) => mayDeed(deed, state))).toEqual(states);
  });

  it("leads on from every state, whatever is done, and never leaves its states", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...moving), fc.boolean()), { maxLength: 30 }),
        (deeds) => {
          let state: MalfunctionState = "CREATED";
          for (const [deed, hasAssignee] of deeds) {
            if (!mayDeed(deed, state)) continue;
            const before: MalfunctionState = state;
            state = stateAfter(deed, hasAssignee);
            expect(MALFUNCTION_STATES).toContain(state);
            if (!isOpenState(before)) expect(["close", "reopen"]).toContain(deed);
          }
          expect(moving.some((deed) => mayDeed(deed, state))).toBe(true);
        },
      ),
    );
  });

  const open = { state: "ASSIGNED", assigneeName: "王强", cabinetId: 1 } as const;

  it("is taken on by the person whom it was given to", () => {
    expect(deedProblem("accept", { ...open, isOthers: true })).toContain("已派给王强");
    expect(deedProblem("accept", { ...open, isOthers: false })).toBeNull();
    expect(deedProblem("assign", { ...open, isOthers: true })).toBeNull();
  });

  it("says what comes first, and that a store has no door", () => {
    expect(deedProblem("resolve", { ...open, isOthers: false })).toBe("请先受理，再填写处理结果");
    expect(deedProblem("test", { ...open, isOthers: false, cabinetId: null })).toContain(
      "门店断网",
    );
    for (const deed of MALFUNCTION_DEEDS) {
      const course = { ...open, state: "CLOSED", isOthers: false } as const;
      expect(deedProblem(deed, course) === null).toBe(deed === "reopen");
    }
  });
});

describe("terms", () => {
  it("of the house make sense, and every kind has a severity", () => {
    expect(slaProblem(houseSla)).toBeNull();
    for (const kind of MALFUNCTION_KINDS) expect(SEVERITIES).toContain(severityOfKind[kind]);
  });

  it("are not shorter for what is less bad, nor for mending than for taking on", () => {
    const short = { respondMinutes: 60, resolveMinutes: 30 };
    expect(slaProblem({ ...houseSla, MINOR: short })).toContain("“轻微”的处理时限不能短于受理时限");
    const quick = { respondMinutes: 5, resolveMinutes: 10 };
    expect(slaProblem({ ...houseSla, NORMAL: quick })).toContain("“一般”的时限不能短于“紧急”");
  });

  it("are about taking on first, then about mending, then about nothing", () => {
    const terms = { respondBy: "2026-11-22T01:00:00Z", resolveBy: "2026-11-22T09:00:00Z" };
    const at = (state: MalfunctionState, acceptedAt: string | null = null) =>
      dueAt({ state, acceptedAt, ...terms });
    expect(at("CREATED")).toBe(terms.respondBy);
    expect(at("PROCESSING", "2026-11-22T00:30:00Z")).toBe(terms.resolveBy);
    // Given to somebody else later on: it was taken on in time.
    expect(at("ASSIGNED", "2026-11-22T00:30:00Z")).toBe(terms.resolveBy);
    expect(at("CLOSED", "2026-11-22T00:30:00Z")).toBeNull();
  });
});

it.each([
  [30 * 60_000, "IN_TIME"],
  [30 * 60_000 - 1, "SOON"],
  [0, "SOON"],
  [-1, "OVERDUE"],
] as const)("what is due in %i ms is %s", (leftMs, stage) => {
  const due = "2026-11-22T04:00:00.000Z";
  expect(dueStageOf(due, Date.parse(due) - leftMs)).toBe(stage);
});
