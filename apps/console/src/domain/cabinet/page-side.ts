// Cabinet side of a page: single- and double-sided pages are the same components, mounted twice.
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { useLocation } from "react-router";

const bases = { SINGLE: "/cupboardRun", DOUBLE: "/userApplet" } as const;

/** Base path of the pages of a side. */
export function sideBase(side: Side) {
  return bases[side];
}

function sideAt(path: string): Side {
  return path.startsWith(`${bases.DOUBLE}/`) ? "DOUBLE" : "SINGLE";
}

/** Query parameter `side` of the lists on a page of one side. */
export const sideQueryAt = (path: string) => ({ side: sideAt(path) });

export function usePageSide(): Side {
  return sideAt(useLocation().pathname);
}
