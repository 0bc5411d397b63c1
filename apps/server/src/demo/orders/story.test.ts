// Stories of the demo: deterministic, whatever the time of day.
import { describe, expect, it } from "vitest";
import { DAY, planCabinets, type Span } from "../fleet/cabinet.ts";
import { writeStory } from "./story.ts";
import { isStillIn } from "./visit.ts";

describe("demo stories", () => {
  const today = Date.parse("2026-11-20T16:00:00Z");
  const storiesAt = (now: number) =>
    planCabinets(now, today).map(
      (cabinet, index) =>
        cabinet.life && writeStory(cabinet, cabinet.life as Span, null, index * 1000, today).events,
    );

  it.each([0, 6, 12, 20])("%i o'clock: some stored goods are an exception", (hour) => {
    const now = today + (hour * DAY) / 24;
    const exceptions = planCabinets(now, today).flatMap(({ life, ...cabinet }, index) => {
      const seed = 1000 * (index + 1);
      const story = life && writeStory({ ...cabinet, life }, life, null, seed, today);
      return story?.visits.filter((visit) => isStillIn(visit) && visit.exception) ?? [];
    });
    expect(exceptions.length).toBeGreaterThanOrEqual(3);
  });

  it("same input: same events; the time of day does not change what happened days before", () => {
    const noon = storiesAt(today + DAY / 2);
    expect(storiesAt(today + DAY / 2)).toEqual(noon);
    const evening = storiesAt(today + DAY * 0.8);
    const pastOf = (events: (typeof noon)[number] = null) =>
      events?.filter(({ at, kind }) => at < today - 5 * DAY && kind.startsWith("DOOR"));
    const simulated = planCabinets(today, today).map(({ isSimulated }) => isSimulated);
    for (const [index, isSimulated] of simulated.entries()) {
      if (isSimulated) expect(pastOf(evening[index])).toEqual(pastOf(noon[index]));
    }
  });
});
