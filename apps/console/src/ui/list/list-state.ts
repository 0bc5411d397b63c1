// List state in the URL: filters, sort and page, so that a shared link shows the same list.

import { pageFromInput } from "@cabinet/contract/kit/pagination.rules.ts";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from "@cabinet/contract/kit/pagination.ts";
import type { Key } from "react";
import { useLocation, useSearchParams } from "react-router";
import { useGoBack } from "../../kit/paths.ts";

/** URL parameters by name; an absent name is an empty filter. */
export type SearchValues = Readonly<Record<string, string>>;

/** Parameters of a query string without the empty ones: `?state=` means the same as no `state`. */
export function textsOf(params: URLSearchParams): SearchValues {
  return withSearchValues(Object.fromEntries(params), {});
}

export interface Sort<By extends string = string> {
  by: By;
  order: "asc" | "desc";
}

export interface ListState {
  texts: SearchValues;
  page: number;
  pageSize: number;
  sort: Sort | null;
  /** Merges into the query string and resets `page`; an empty value removes the parameter. */
  filter: (texts: SearchValues) => void;
  goTo: (page: number) => void;
  setPageSize: (pageSize: number) => void;
  setSort: (sort: Sort | null) => void;
  /** Key of the record whose drawer is open. */
  opened: string | null;
  open: (key: Key) => void;
  /** Shows another record in the open drawer: Back still closes it. */
  move: (key: Key) => void;
  close: () => void;
}

export function pageSizeOf(text: string | undefined): number {
  return PAGE_SIZES.find((size) => String(size) === text) ?? DEFAULT_PAGE_SIZE;
}

export function sortOf(texts: SearchValues): Sort | null {
  return texts.sort ? { by: texts.sort, order: texts.order === "desc" ? "desc" : "asc" } : null;
}

/** Merges `changes` into `texts`; an empty value removes the name. */
export function withSearchValues(
  texts: SearchValues,
  changes: SearchValues,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...texts, ...changes }).filter(([, text]) => text !== ""),
  );
}

/** Page and page size that the texts ask for. */
export function pagingOf(texts: SearchValues): { page: number; pageSize: number } {
  return { page: pageFromInput(texts.page ?? "") ?? 1, pageSize: pageSizeOf(texts.pageSize) };
}

/** Marks the history entry that opening a record added: closing it goes back. */
const OPENED = { isRecordOpened: true };

export function useListState(): ListState {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation() as { state: Partial<typeof OPENED> | null };
  const goBack = useGoBack();
  const texts = textsOf(params);
  const change = (changes: SearchValues) =>
    setParams(withSearchValues(texts, { open: "", ...changes }));
  return {
    texts,
    ...pagingOf(texts),
    sort: sortOf(texts),
    filter: (changes) => change({ ...changes, page: "" }),
    goTo: (page) => change({ page: String(page) }),
    setPageSize: (pageSize) => change({ pageSize: String(pageSize), page: "" }),
    setSort: (sort) => change({ sort: sort?.by ?? "", order: sort?.order ?? "", page: "" }),
    opened: texts.open ?? null,
    open: (key) => setParams(withSearchValues(texts, { open: String(key) }), { state: OPENED }),
    move: (key) =>
      setParams(withSearchValues(texts, { open: String(key) }), { replace: true, state }),
    close: () => {
      if (state?.isRecordOpened) goBack();
      else setParams(withSearchValues(texts, { open: "" }), { replace: true });
    },
  };
}
