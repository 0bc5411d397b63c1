// Filters above a list: apply on 查询 or Enter; 重置 clears them all. In a small window they fold to one line.
import { type FormEvent, useId, useState } from "react";
import { Button } from "../display/button.tsx";
import { changedDraft } from "./filter-draft.ts";
import { type Filter, isApplied, shownFilter } from "./filters.tsx";
import type { SearchValues } from "./list-state.ts";
import "./filter-bar.css";

/** As in the style sheet. */
const isFolding = () => matchMedia("(width < 768px), (height < 720px)").matches;

export interface FilterBarProps {
  filters: readonly Filter[];
  /** Applied values. */
  texts: SearchValues;
  onFilter: (texts: SearchValues) => void;
  /** 查询 with the filters that are applied. */
  onAgain: () => unknown;
  /** The answer to the applied filters is loading. */
  isBusy: boolean;
}

export function FilterBar({ filters, texts, onFilter, onAgain, isBusy }: FilterBarProps) {
  const id = useId();
  const names = filters.flatMap((filter) => filter.names);
  const applied = Object.fromEntries(names.map((name) => [name, texts[name] ?? ""]));
  const appliedKey = JSON.stringify(applied);
  const [draft, setDraft] = useState<SearchValues>(applied);
  const [draftOf, setDraftOf] = useState(appliedKey);
  const [isOpen, setIsOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // A new URL (back button, link) brings new filters: discards what was typed.
  if (draftOf !== appliedKey) {
    setDraftOf(appliedKey);
    setDraft(applied);
  }
  const hasRare = filters.some(({ isRare }) => isRare);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const index = filters.findIndex((filter) => filter.problem?.(draft));
    setProblem(filters[index]?.problem?.(draft) ?? null);
    if (index < 0) {
      onFilter(draft);
      // Folded, the filters leave their room to the rows that are asked for.
      if (isFolding()) setIsOpen(false);
      if (names.every((name) => (draft[name] ?? "") === applied[name])) void onAgain();
    } else document.getElementById(`${id}-${index}`)?.focus();
  };
  const reset = () => {
    const empty = Object.fromEntries(names.map((name) => [name, ""]));
    setDraft(empty);
    setProblem(null);
    onFilter(empty);
  };
  const remove = ({ names }: Filter) =>
    onFilter(changedDraft(filters, applied, Object.fromEntries(names.map((name) => [name, ""]))));

  return (
    <form
      className={isOpen ? "ui-filters ui-filters-open" : "ui-filters"}
      data-active={filters.some((filter) => isApplied(filter, applied))}
      onSubmit={submit}
    >
      {filters.map((filter, index) => (
        <div
          key={filter.names[0]}
          className="ui-filter"
          data-wide={filter.names.length > 1}
          data-rare={filter.isRare && !isApplied(filter, applied)}
        >
          <label htmlFor={`${id}-${index}`}>{filter.label}</label>
          {filter.control({
            id: `${id}-${index}`,
            // Includes URL parameters that no filter edits, such as the tenant of a linked list.
            texts: { ...texts, ...draft },
            change: (changes) => setDraft((before) => changedDraft(filters, before, changes)),
          })}
        </div>
      ))}
      {problem && (
        <p className="ui-filter-problem" role="alert">
          {problem}
        </p>
      )}
      {!isOpen &&
        filters.map(
          (filter, index) =>
            isApplied(filter, applied) && (
              <button
                key={filter.names[0]}
                type="button"
                className="ui-filter-chip"
                data-place={index}
                title={`取消筛选：${filter.label}`}
                onClick={() => remove(filter)}
              >
                {filter.label}：{shownFilter(filter, { ...texts, ...applied })}
              </button>
            ),
        )}
      <div className="ui-filter-buttons">
        {filters.length > 1 && (
          <Button
            className="ui-filter-more"
            data-always={hasRare}
            type="text"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? "收起筛选" : "更多筛选"}
          </Button>
        )}
        <Button className="ui-filter-reset" onClick={reset}>
          重置
        </Button>
        <Button className="ui-filter-submit" type="primary" htmlType="submit" aria-busy={isBusy}>
          查询
        </Button>
      </div>
    </form>
  );
}
