// Screen width as React state.
import { useSyncExternalStore } from "react";
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
