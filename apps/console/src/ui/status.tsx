// A state in words with a dot of its tone, and how long ago something was.
import { type ReactNode, useSyncExternalStore } from "react";
import { formatAge, formatDateTime } from "../kit/format.ts";
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
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/** The time in milliseconds; one clock ticks for all who read it. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** `3 分钟前`, the exact time on hover. */
export function Age({ time }: { time: string | null }) {
  const tick = useNow();
  if (!time) return <span className="ui-cell-none">—</span>;
  return (
    <time className="ui-age" dateTime={time} title={formatDateTime(time)}>
      {formatAge(time, Math.max(tick, Date.parse(time)))}
    </time>
  );
}
