// Screen width and current time as React state.
import { useEffect, useState, useSyncExternalStore } from "react";
import { below } from "../../../kit/tokens.ts";

/** Below this width the panel is a drawer, from it on it is beside the cabinet. */
const narrow = below("wide");

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener("change", onChange);
  return () => narrow.removeEventListener("change", onChange);
}

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => !narrow.matches);
}

const TICK_MS = 20_000;

/** Updates every 20 s, which is enough for minutes. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
