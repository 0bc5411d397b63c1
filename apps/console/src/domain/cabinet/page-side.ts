// Cabinet side of a page: single- and double-sided pages are the same components, mounted twice.
import type { Side } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { useLocation } from "react-router";

const bases = { SINGLE: "/cupboardRun", DOUBLE: "/userApplet" } as const;

/** Base path of the pages of a side. */
export function sideBase(side: Side) {
  return bases[side];
}

export function usePageSide(): Side {
  return useLocation().pathname.startsWith(`${bases.DOUBLE}/`) ? "DOUBLE" : "SINGLE";
}
