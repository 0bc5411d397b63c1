// Tests turns: never two at once, none lost, and an orderly stop.
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { startTurns } from "./turns.ts";

const NEVER_MS = 3_600_000;
const WITHIN_MS = 30_000;

/** Turns that end one by one, each when `end` is called. */
function start(everyMs = NEVER_MS) {
  const open: PromiseWithResolvers<void>[] = [];
  const turns = startTurns(createLog("silent"), everyMs, () => {
    const turn = Promise.withResolvers<void>();
    open.push(turn);
    return turn.promise;
  });
  onTestFinished(async () => {
    for (const turn of open) turn.resolve();
    await turns.stop();
  });
  return { turns, open };
}

test("turns: wake-ups during a turn are followed by one more", async () => {
  const { turns, open } = start();
  turns.wake();
  turns.wake();
  turns.wake();
  expect(open.length).toBe(1);
  open[0]?.resolve();
  await vi.waitUntil(() => open.length === 2, WITHIN_MS);
  open[1]?.resolve();
  await turns.stop();
  expect(open.length).toBe(2);
});

test("turns: a failed turn does not end them", async () => {
  const { turns, open } = start(1);
  await vi.waitUntil(() => open.length === 1, WITHIN_MS);
  open[0]?.reject(new Error("down"));
  await vi.waitUntil(() => open.length === 2, WITHIN_MS);
  open[1]?.resolve();
  await turns.stop();
});

test("turns: stop waits for the running turn and begins no other", async () => {
  const { turns, open } = start();
  turns.wake();
  turns.wake();
  let isStopped = false;
  const stopping = turns.stop().then(() => {
    isStopped = true;
  });
  await Promise.resolve();
  expect(isStopped).toBe(false);
  open[0]?.resolve();
  await stopping;
  turns.wake();
  expect(open.length).toBe(1);
});
