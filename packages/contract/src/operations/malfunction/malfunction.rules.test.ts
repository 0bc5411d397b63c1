// Tests the malfunction state machine: transitions, permitted actors, valid response times.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MALFUNCTION_KINDS } from "../../vocabulary/malfunction.rules.ts";
import {
  actionProblem,
  defaultSla,
  dueAt,
  dueStageOf,
  isOpenState,
  MALFUNCTION_ACTIONS,
  MALFUNCTION_STATES,
  type MalfunctionState,
  type MovingAction,
  mayAct,
  SEVERITIES,
  severityOfKind,
  slaProblem,
  stateAfter,
} from "./malfunction.rules.ts";

const moving: MovingAction[] = ["accept", "assign", "resolve", "close", "ignore", "reopen"];

describe("malfunction state machine", () => {
  it.each<[MovingAction, MalfunctionState[]]>([
    ["accept", ["CREATED", "ASSIGNED"]],
    ["assign", ["CREATED", "ASSIGNED", "PROCESSING"]],
    ["resolve", ["PROCESSING"]],
    ["close", ["RESOLVED"]],
    ["ignore", ["CREATED", "ASSIGNED", "PROCESSING"]],
    ["reopen", ["RESOLVED", "CLOSED", "IGNORED"]],
  ])("%s is done in %j alone", (action, states) => {
    expect(MALFUNCTION_STATES.filter((state) => mayAct(action, state))).toEqual(states);
  });

  it("every state has a way on, and closed states change only by close and reopen", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...moving), fc.boolean()), { maxLength: 30 }),
        (actions) => {
          let state: MalfunctionState = "CREATED";
          for (const [action, hasAssignee] of actions) {
            if (!mayAct(action, state)) continue;
            const before: MalfunctionState = state;
            state = stateAfter(action, hasAssignee);
            expect(MALFUNCTION_STATES).toContain(state);
            if (!isOpenState(before)) expect(["close", "reopen"]).toContain(action);
          }
          expect(moving.some((action) => mayAct(action, state))).toBe(true);
        },
      ),
    );
  });

  const open = { state: "ASSIGNED", assigneeName: "王强", cabinetId: 1 } as const;

  it("only the assignee accepts an assigned malfunction", () => {
    expect(actionProblem("accept", { ...open, isOthers: true })).toContain("已派给王强");
    expect(actionProblem("accept", { ...open, isOthers: false })).toBeNull();
    expect(actionProblem("assign", { ...open, isOthers: true })).toBeNull();
  });

  it("names the missing step, and refuses door tests of an outage", () => {
    expect(actionProblem("resolve", { ...open, isOthers: false })).toBe("请先受理，再填写处理结果");
    expect(actionProblem("test", { ...open, isOthers: false, cabinetId: null })).toContain(
      "门店断网",
    );
    for (const action of MALFUNCTION_ACTIONS) {
      const course = { ...open, state: "CLOSED", isOthers: false } as const;
      expect(actionProblem(action, course) === null).toBe(action === "reopen");
    }
  });
});

describe("response times", () => {
  it("defaults are valid, and every kind has a severity", () => {
    expect(slaProblem(defaultSla)).toBeNull();
    for (const kind of MALFUNCTION_KINDS) expect(SEVERITIES).toContain(severityOfKind[kind]);
  });

  it("may not be shorter for lower severities, nor for resolving than for responding", () => {
    const short = { respondMinutes: 60, resolveMinutes: 30 };
    expect(slaProblem({ ...defaultSla, MINOR: short })).toContain(
      "“轻微”的处理时限不能短于受理时限",
    );
    const quick = { respondMinutes: 5, resolveMinutes: 10 };
    expect(slaProblem({ ...defaultSla, NORMAL: quick })).toContain("“一般”的时限不能短于“紧急”");
  });

  it("due time is respondBy, then resolveBy, then null", () => {
    const terms = { respondBy: "2026-11-22T01:00:00Z", resolveBy: "2026-11-22T09:00:00Z" };
    const at = (state: MalfunctionState, acceptedAt: string | null = null) =>
      dueAt({ state, acceptedAt, ...terms });
    expect(at("CREATED")).toBe(terms.respondBy);
    expect(at("PROCESSING", "2026-11-22T00:30:00Z")).toBe(terms.resolveBy);
    // Reassigned after being accepted in time: respondBy no longer applies.
    expect(at("ASSIGNED", "2026-11-22T00:30:00Z")).toBe(terms.resolveBy);
    expect(at("CLOSED", "2026-11-22T00:30:00Z")).toBeNull();
  });
});

it.each([
  [30 * 60_000, "IN_TIME"],
  [30 * 60_000 - 1, "SOON"],
  [0, "SOON"],
  [-1, "OVERDUE"],
] as const)("dueStageOf: %i ms before the due time is %s", (leftMs, stage) => {
  const due = "2026-11-22T04:00:00.000Z";
  expect(dueStageOf(due, Date.parse(due) - leftMs)).toBe(stage);
});
