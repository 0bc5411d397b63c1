// Injected clock, timers and random numbers, so that tests can control them.
import { performance } from "node:perf_hooks";

export interface World {
  /** Monotonic milliseconds. */
  mono(): number;
  /** Random number in [0, 1). */
  random(): number;
  /** Calls `act` after `ms`; the returned function cancels it. */
  after(ms: number, act: () => void): () => void;
}

/** Seeded random numbers (mulberry32): the same seed gives the same sequence. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Derives a seed from a text by hashing, for one seed per cabinet. */
export function seedOf(seed: number, text: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/** The real clock, with random numbers of this seed. */
export function realWorld(seed: number): World {
  return {
    mono: () => performance.now(),
    random: seededRandom(seed),
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Random integer from `from` to `to`, both included. */
export function between(world: World, from: number, to: number): number {
  return from + Math.floor(world.random() * (to - from + 1));
}
