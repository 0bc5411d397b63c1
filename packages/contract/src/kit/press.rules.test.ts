// The server's clock as a client learns it from answers.
import fc from "fast-check";
import { expect, it } from "vitest";
import { SERVER_TIME_HEADER, ServerClock } from "./press.rules.ts";

const NOW = Date.UTC(2026, 10, 29, 8);
const TRIP = { sentAt: NOW, receivedAt: NOW + 80 };
const headers = (given: Record<string, string>) => (name: string) => given[name] ?? null;
const exact = (time: number) => headers({ [SERVER_TIME_HEADER]: String(time) });
const inSeconds = (time: number) => headers({ date: new Date(time).toUTCString() });

/** Milliseconds that the clock adds to the client's. */
const offset = (clock: ServerClock) => clock.at(NOW) - NOW;

it("server clock: the client's own until an answer has shown another", () => {
  const clock = new ServerClock();
  expect(offset(clock)).toBe(0);
  clock.learn(TRIP, headers({ date: "soon" }));
  clock.learn({ ...TRIP, receivedAt: NOW - 60_000 }, exact(NOW));
  expect(offset(clock)).toBe(0);
});

it("server clock: the server's own header counts, and beside it not the proxy's Date", () => {
  const clock = new ServerClock();
  const date = new Date(NOW + 90_000).toUTCString();
  clock.learn(TRIP, headers({ [SERVER_TIME_HEADER]: String(NOW + 5_080), date }));
  expect(offset(clock)).toBe(5_000);
});

it("server clock: Date alone has whole seconds, and a quicker answer tells more", () => {
  const clock = new ServerClock();
  clock.learn(TRIP, inSeconds(NOW + 5_900));
  expect(offset(clock)).toBe(4_920);
  clock.learn({ sentAt: NOW + 500, receivedAt: NOW + 510 }, exact(NOW + 6_100));
  expect(offset(clock)).toBe(5_590);
});

it("server clock: follows a clock that was set, on either side", () => {
  const clock = new ServerClock();
  clock.learn(TRIP, exact(NOW + 80));
  for (const set of [-3_600_000, 0, 3_600_000]) {
    clock.learn(TRIP, exact(NOW + 80 + set));
    expect(offset(clock)).toBe(set);
  }
});

it("server clock: never shows the server's future, and at most the way back of the quickest answer too little", () => {
  const trip = fc.record({
    waitMs: fc.nat(60_000),
    thereMs: fc.nat(9_000),
    backMs: fc.nat(9_000),
    isExact: fc.boolean(),
  });
  const trips = fc.array(trip, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), trips, (ahead, all) => {
      const clock = new ServerClock();
      let now = NOW;
      let mostMs = Number.POSITIVE_INFINITY;
      for (const { waitMs, thereMs, backMs, isExact } of all) {
        const sentAt = now + waitMs;
        const server = sentAt + thereMs + ahead;
        now = sentAt + thereMs + backMs;
        clock.learn({ sentAt, receivedAt: now }, (isExact ? exact : inSeconds)(server));
        mostMs = Math.min(mostMs, backMs + (isExact ? 0 : 1_000));
      }
      const error = clock.at(now) - (now + ahead);
      expect(error).toBeLessThanOrEqual(0);
      expect(error).toBeGreaterThanOrEqual(-mostMs);
    }),
  );
});
