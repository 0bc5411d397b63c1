// Which side the page is about: single- and double-sided pages are one set, mounted twice.
import type { Side } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import { useLocation } from "react-router";

const bases: Record<Side, string> = { SINGLE: "/cupboardRun", DOUBLE: "/userApplet" };

/** Where the pages of a side stand. */
export function sideBase(side: Side): string {
  return bases[side];
}

export function usePageSide(): Side {
  return useLocation().pathname.startsWith(`${bases.DOUBLE}/`) ? "DOUBLE" : "SINGLE";
}
