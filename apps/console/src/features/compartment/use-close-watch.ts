// One cabinet that somebody looks at is watched more closely than a list of many.
import type { LiveTopic } from "@cabinet/contract/live/live.rules.ts";
import { useEffect, useRef } from "react";
import { useLive } from "../../kit/live.ts";

/** Changes come in groups: a door, its sensor, its command. */
const GATHER_MS = 150;
const GAP_MS = 600;

/** Calls `refresh` soon after something of this cabinet changed, at most once per `GAP_MS`. */
export function useCloseWatch(topic: LiveTopic, cabinetId: number, refresh: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastAt = useRef(0);
  useLive(topic, (changedId) => {
    if ((changedId !== null && changedId !== cabinetId) || timer.current !== undefined) return;
    const wait = Math.max(GATHER_MS, lastAt.current + GAP_MS - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      lastAt.current = Date.now();
      refresh();
    }, wait);
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
}
