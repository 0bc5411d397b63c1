// Answers of calls: how often they are drawn.
import { notifyManager } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", { addEventListener: () => {} });
  vi.stubGlobal("localStorage", { getItem: () => null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("notices of answers that arrive together: one timer, in their order", async () => {
  await import("./query.ts");
  const seen: number[] = [];
  for (const each of [1, 2, 3]) notifyManager.schedule(() => seen.push(each));
  expect(vi.getTimerCount()).toBe(1);
  vi.runAllTimers();
  expect(seen).toEqual([1, 2, 3]);
});
