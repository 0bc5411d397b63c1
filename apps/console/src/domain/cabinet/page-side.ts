// Cabinet side of a page: single- and double-sided pages are the same components, mounted twice.
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import { useLocation } from "react-router";
import { type ListState, type SearchValues, useListState } from "../../ui/list/list-state.ts";

const bases = { SINGLE: "/cupboardRun", DOUBLE: "/userApplet" } as const;

/** Base path of the pages of a side. */
export function sideBase(side: Side) {
  return bases[side];
}

function sideAt(path: string): Side {
  return path.startsWith(`${bases.DOUBLE}/`) ? "DOUBLE" : "SINGLE";
}

/** The whole company, or one side of it. */
export type SideChoice = "ALL" | Side;

/** A page of the company's money opens with the side of its menu, until another one is chosen. */
function choiceAt(path: string, { side }: SearchValues): SideChoice {
  return side === "ALL" || side === "SINGLE" || side === "DOUBLE" ? side : sideAt(path);
}

const queryOf = (choice: SideChoice): { side?: Side } => (choice === "ALL" ? {} : { side: choice });

/** Query parameter `side` of the lists on a page of one side. */
export const sideQueryAt = (path: string, texts: SearchValues = {}) =>
  queryOf(choiceAt(path, texts));

export function usePageSide(): Side {
  return sideAt(useLocation().pathname);
}

/** The chosen side of a page of the company's money, and the query parameter for it. */
export function useSideChoice(): {
  choice: SideChoice;
  query: { side?: Side };
  choose: (choice: SideChoice) => void;
} {
  const { pathname } = useLocation();
  const { texts, filter } = useListState();
  const choice = choiceAt(pathname, texts);
  return {
    choice,
    query: queryOf(choice),
    choose: (side) => filter({ side: side === sideAt(pathname) ? "" : side }),
  };
}

const choiceText: Readonly<Record<string, string>> = { ...sideText, ALL: "全部" };

/** Side of a list in the name of its file; undefined where the list is not asked for one. */
export function sideScope({
  query,
  state,
}: {
  query: Readonly<Record<string, unknown>>;
  state: Pick<ListState, "texts">;
}): string | undefined {
  return choiceText[String(query.side ?? state.texts.side)];
}
