// Reconnect backoff: a line that drops after every hello must not run into the connect ban.
import { BACKOFF_CAP_MS, CONNECT_WINDOW_MS, MAX_CONNECTS } from "@cabinet/link";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Machine } from "./machine.ts";
import { makeCabinets } from "./testing/test-broker.ts";
import { TestGateway } from "./testing/test-gateway.ts";
import { Disk, Line, Stage } from "./testing/virtual-world.ts";

const HOUR_MS = 3_600_000;

/** Connect times within one hour if the line drops `dropAfterMs` after each hello. */
async function connectsOf(seed: number, dropAfterMs: number): Promise<number[]> {
  const stage = new Stage(seed);
  const cabinets = makeCabinets(1);
  const identity = cabinets[0];
  if (!identity) throw new Error("no cabinet");
  const connects: number[] = [];
  const gateway = new TestGateway(
    cabinets,
    () => Math.ceil(stage.now),
    (message) => {
      line.deliver(message);
      connects.push(stage.now);
      stage.after(dropAfterMs, () => line.cut());
    },
  );
  const line = new Line(stage, ({ topic, payload }) => gateway.receive(topic, payload));
  const machine = new Machine(identity, stage.world(0), line, new Disk(stage), {
    autoCloseMs: 4_000,
    isJammed: () => false,
    losesPowerAt: () => false,
    onTrouble() {},
  });
  await machine.start();
  const tick = () => {
    machine.tick();
    stage.after(1_000, tick);
  };
  tick();
  await stage.playUntil(HOUR_MS);
  return connects;
}

test("backoff: a line that drops after each hello stays below the connect limit", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 100, max: 10_000 }), async (seed, dropAfterMs) => {
      const connects = await connectsOf(seed, dropAfterMs);
      const perWindow = connects.map(
        (from) => connects.filter((at) => at >= from && at < from + CONNECT_WINDOW_MS).length,
      );
      expect(Math.max(...perWindow)).toBeLessThan(MAX_CONNECTS);
    }),
    { numRuns: 20 },
  );
});

test("backoff: starts over after a session that lasted more than a minute", async () => {
  const connects = await connectsOf(1, 90_000);
  const waits = connects.slice(1).map((at, index) => at - (connects[index] ?? 0) - 90_000);
  expect(connects.length).toBeGreaterThan(30);
  expect(Math.max(...waits)).toBeLessThan(BACKOFF_CAP_MS / 4);
});
