// Screen width and current time as React state.
import { useEffect, useState, useSyncExternalStore } from "react";

/** From this width on the panel is beside the cabinet; below it is a drawer. */
const wide = matchMedia("(width >= 1200px)");

function subscribe(onChange: () => void): () => void {
  wide.addEventListener("change", onChange);
  return () => wide.removeEventListener("change", onChange);
}

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
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
