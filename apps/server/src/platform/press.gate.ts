// Refuses calls that follow from a press that is too old to open a door or move money (0115).
import type { IncomingHttpHeaders } from "node:http";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { PRESS_AHEAD_MS, PRESS_HEADER, PRESS_SECONDS } from "@cabinet/contract/kit/press.rules.ts";
import { refuse } from "./errors.ts";

/** Press behind a `pressed` call. */
export interface Press {
  /** Counts until then, of `performance.now()`: neither waiting in the server nor a clock that is set prolongs it. */
  untilMs: number;
  /** Later than the server's clock: a wrong clock, which says nothing about the press. */
  isAhead: boolean;
}

/**
 * The press of a call; null for calls that are not `pressed`. Without the header, as from consoles that were open before an
 * upgrade, and from third parties, the press counts as now.
 */
export function pressOf({ pressed }: EndpointSpec, headers: IncomingHttpHeaders): Press | null {
  if (!pressed) return null;
  const given = headers[PRESS_HEADER];
  if (given === undefined) return { untilMs: Number.POSITIVE_INFINITY, isAhead: false };
  if (typeof given !== "string" || !/^\d{1,15}$/.test(given)) refuse("BAD_REQUEST");
  const ageMs = Date.now() - Number(given);
  const leftMs = PRESS_SECONDS * 1_000 - Math.max(0, ageMs);
  return { untilMs: performance.now() + leftMs, isAhead: ageMs < -PRESS_AHEAD_MS };
}

/** Seconds for which the press still counts; refuses when it does no longer. */
function leftSeconds({ untilMs, isAhead }: Press): number {
  if (isAhead) refuse("PRESS_AHEAD");
  const leftMs = untilMs - performance.now();
  if (leftMs <= 0) refuse("PRESS_EXPIRED", { seconds: PRESS_SECONDS });
  return leftMs / 1_000;
}

/** As a transaction has it: null for calls that are not `pressed`, absent for the server's own work. */
interface Pressed {
  readonly press?: Press | null | undefined;
}

/**
 * Called before the first effect, and after the look-up of an idempotency key: a repeat of what was done gets its answer
 * however late it comes.
 */
export function requireFreshPress({ press }: Pressed): void {
  if (press) leftSeconds(press);
}

/** Seconds for which the press of a call that commands a cabinet still counts. */
export function pressSeconds({ press }: Pressed): number {
  if (press === null)
    throw new Error("a call that commands a cabinet is `pressed` in its contract");
  return press ? leftSeconds(press) : Number.POSITIVE_INFINITY;
}
