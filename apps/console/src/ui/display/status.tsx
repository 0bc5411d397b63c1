// State as text with a coloured dot, and relative times.
import { type ReactNode, useSyncExternalStore } from "react";
import { formatAge, formatDateTime, formatNear } from "../../kit/format.ts";
import type { Tone } from "./tone.rules.ts";
import "./status.css";
import "./basics.css";

export interface StatusProps {
  tone: Tone;
  title?: string;
  children: ReactNode;
}

export function Status({ tone, title, children }: StatusProps) {
  return (
    <span className="ui-status" data-tone={tone} title={title}>
      {children}
    </span>
  );
}

const TICK_MS = 5_000;
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (ticking === undefined) now = Date.now();
  ticking ??= setInterval(() => {
    now = Date.now();
    for (const wake of listeners) wake();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/** Current time in milliseconds from one shared timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Relative time with the absolute one beside it: `3 分钟前 14:02`; the seconds are in its tooltip. */
export function Age({ time }: { time: string | null }) {
  const tick = useNow();
  if (!time) return <span className="ui-cell-none">—</span>;
  const at = Math.max(tick, Date.parse(time));
  return (
    <time className="ui-age" dateTime={time} title={formatDateTime(time)}>
      {formatAge(time, at)} <small>{formatNear(time, at)}</small>
    </time>
  );
}
