// Tests the event rules: groups cover every kind, problems end, presence has no gaps.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  EVENT_GROUPS,
  eventGroupOf,
  eventKindText,
  isProblem,
  kindsOfGroup,
  knownKinds,
  onlineShare,
  type PresenceChange,
  presenceSpans,
  problemKinds,
  skewOf,
} from "./cabinet-event.rules.ts";

describe("event kinds", () => {
  it("each belongs to one group, and every group but OTHER has kinds", () => {
    expect(EVENT_GROUPS.flatMap(kindsOfGroup).sort()).toEqual([...knownKinds].sort());
    expect(EVENT_GROUPS.filter((group) => kindsOfGroup(group).length === 0)).toEqual(["OTHER"]);
  });

  it("unknown kinds keep the cabinet's word", () => {
    expect(eventKindText("SMELL")).toBe("SMELL");
    expect(eventGroupOf("SMELL")).toBe("OTHER");
    expect(isProblem("SMELL", null)).toBe(false);
  });

  it("problem kinds are problems until reported as over", () => {
    for (const kind of problemKinds) {
      expect(isProblem(kind, null)).toBe(true);
      expect(isProblem(kind, { active: true })).toBe(true);
      expect(isProblem(kind, { active: false })).toBe(false);
    }
    expect(isProblem("DOOR_OPENED", {})).toBe(false);
    expect(isProblem("JOB", { job: { status: "FAILED" } })).toBe(true);
    expect(isProblem("JOB", { job: { status: "SUCCEEDED" } })).toBe(false);
  });
});

describe("skewOf", () => {
  it.each([
    ["2026-11-21T00:00:00Z", "2026-11-21T00:02:00Z", null],
    ["2026-11-21T00:00:00Z", "2026-11-21T00:02:01Z", -121],
    ["2026-11-21T01:00:00Z", "2026-11-21T00:00:00Z", 3600],
  ])("%s received at %s is off by %s", (deviceAt, receivedAt, seconds) =>
    expect(skewOf(deviceAt, receivedAt)).toBe(seconds),
  );

  it("is null without a device time", () =>
    expect(skewOf(null, "2026-11-21T00:00:00Z")).toBeNull());
});

const WINDOW = { from: 1_000, to: 2_000 };
const changesOf = fc
  .array(
    fc.record<PresenceChange>({
      state: fc.constantFrom("ONLINE" as const, "OFFLINE" as const),
      at: fc.nat(2_500),
    }),
  )
  .map((changes) => changes.toSorted((one, other) => one.at - other.at));

describe("presence", () => {
  it("continues from before the window, and is NEVER before the first change", () => {
    expect(presenceSpans([], WINDOW)).toEqual([{ state: "NEVER", ...WINDOW }]);
    expect(presenceSpans([{ state: "ONLINE", at: 10 }], WINDOW)).toEqual([
      { state: "ONLINE", ...WINDOW },
    ]);
    const away = presenceSpans(
      [
        { state: "ONLINE", at: 1_200 },
        { state: "OFFLINE", at: 1_500 },
        { state: "ONLINE", at: 1_700 },
      ],
      WINDOW,
    );
    expect(away.map(({ state, from, to }) => [state, from, to])).toEqual([
      ["NEVER", 1_000, 1_200],
      ["ONLINE", 1_200, 1_500],
      ["OFFLINE", 1_500, 1_700],
      ["ONLINE", 1_700, 2_000],
    ]);
    expect(onlineShare(away)).toBe(600 / 800);
  });

  it("has no gaps, no overlaps and no equal neighbours", () => {
    fc.assert(
      fc.property(changesOf, (changes) => {
        const spans = presenceSpans(changes, WINDOW);
        expect(spans[0]?.from).toBe(WINDOW.from);
        expect(spans.at(-1)?.to).toBe(WINDOW.to);
        for (const [index, span] of spans.entries()) {
          expect(span.to).toBeGreaterThan(span.from);
          const next = spans[index + 1];
          if (next) expect([next.from, next.state === span.state]).toEqual([span.to, false]);
        }
        const last = changes.filter(({ at }) => at < WINDOW.to).at(-1);
        expect(spans.at(-1)?.state).toBe(last?.state ?? "NEVER");
      }),
    );
  });

  it("online share is null when nothing is known", () =>
    expect(onlineShare([{ state: "NEVER", ...WINDOW }])).toBeNull());
});
