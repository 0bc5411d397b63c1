// Layout editor: select and edit the doors and gaps of a cabinet by mouse and keyboard.
import {
  type Layout,
  layoutProblems,
} from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import { type DoorSide, type Size, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { CabinetDrawing } from "../../../domain/cabinet/cabinet-drawing.tsx";
import { SideSwitch } from "../../../domain/cabinet/side-switch.tsx";
import {
  addCells,
  addStep,
  between,
  type Draft,
  type DraftCell,
  draftOf,
  editCells,
  gapsOf,
  layoutOf,
  redo,
  removeCells,
  setSpan,
  startHistory,
  undo,
} from "./layout-draft.rules.ts";
import { LayoutPanel } from "./layout-panel.tsx";
import { LayoutProblems } from "./layout-problems.tsx";
import { LayoutTools } from "./layout-tools.tsx";
import "./layout-drawing.css";
import "./layout-editor.css";

export interface LayoutEditorProps {
  /** Initial value only; the editor then keeps its own state. */
  initial: Layout;
  onLayout: (layout: Layout) => void;
  isDouble: boolean;
  /** Model excluded from the list of layouts to copy. */
  modelId: number | null;
}

const sideHint: Record<DoorSide, string> = {
  BACK: "从背面看，左右相反；正反面是同一批格口",
  FRONT: "背面是同一批格口",
};

const sizeKeys: Record<string, Size> = { s: "S", m: "M", l: "L", x: "XL" };

export function LayoutEditor({ initial, onLayout, isDouble, modelId }: LayoutEditorProps) {
  const [history, setHistory] = useState(() => startHistory(draftOf(initial)));
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [side, setSide] = useState<DoorSide>("FRONT");
  const anchor = useRef<number | null>(null);
  const pointer = useRef<{ type: string; isDragging: boolean }>({ type: "", isDragging: false });
  const grid = useRef<HTMLDivElement>(null);
  const draft = history.present;
  const seen = isDouble ? side : "FRONT";

  const places = useMemo(() => {
    const gaps = gapsOf(draft).map((gap) => ({ ...gap, no: gap.id, rowSpan: 1, door: null }));
    const doors = draft.cells.map((door) => ({ ...door, no: door.id, door }));
    return [...doors, ...gaps];
  }, [draft]);
  const problems = useMemo(() => layoutProblems(layoutOf(draft)), [draft]);
  const problemOf = useMemo(() => {
    const byCell = new Map<number, string>();
    for (const { index, text } of problems) {
      const cell = index === null ? undefined : draft.cells[index];
      if (cell && !byCell.has(cell.id)) byCell.set(cell.id, text);
    }
    return byCell;
  }, [problems, draft]);
  const ids = [...selected].filter((id) => places.some((place) => place.no === id));

  // A step may remove the focused element: moves the focus to the present selection.
  const refocus = useRef(false);
  useEffect(() => {
    if (!refocus.current) return;
    refocus.current = false;
    const [first] = selected;
    grid.current?.querySelector<HTMLElement>(`[data-no="${first}"]`)?.focus();
  }, [selected]);

  const show = (next: typeof history, select: readonly number[]) => {
    refocus.current = grid.current?.contains(document.activeElement) ?? false;
    setHistory(next);
    setSelected(new Set(select));
    onLayout(layoutOf(next.present));
  };
  /** Applies one step; selects the doors that it created, or else keeps the selection. */
  const change = (next: Draft, kind: string | null = null) => {
    if (next === draft) return;
    const made = next.cells.filter((cell) => cell.id >= draft.nextId).map((cell) => cell.id);
    const kept = places.filter((place) => selected.has(place.no));
    const below = next.cells.filter((cell) => kept.some((place) => isOver(cell, place)));
    const gaps = gapsOf(next).filter((gap) => kept.some((place) => isOver(place, gap)));
    const still = ids.filter((id) => next.cells.some((cell) => cell.id === id));
    const select = [...new Set([...still, ...made, ...below.map(({ id }) => id)])];
    show(addStep(history, next, kind), select.length > 0 ? select : gaps.map(({ id }) => id));
  };
  const travel = (to: typeof history | null) => to && show(to, ids);

  const select = (no: number, how: "only" | "extend" | "toggle") => {
    if (how === "extend" && anchor.current !== null) {
      setSelected(new Set(between(draft, anchor.current, no)));
      return;
    }
    anchor.current = no;
    if (how === "toggle") {
      const next = new Set(selected);
      if (!next.delete(no)) next.add(no);
      setSelected(next);
    } else setSelected(new Set([no]));
  };

  const doors = ids.filter((id) => id > 0);
  const gaps = ids.filter((id) => id < 0);
  const onKey = (event: KeyboardEvent): boolean => {
    const key = event.key.toLowerCase();
    if (event.ctrlKey) {
      if (key === "a") setSelected(new Set(draft.cells.map((cell) => cell.id)));
      else return false;
      return true;
    }
    const size = sizeKeys[key];
    if (size) change(editCells(addCells(draft, gaps, size), doors, { size }));
    else if (key === "delete" || key === "backspace") change(removeCells(draft, doors));
    else if (key === "+" || key === "=" || key === "-") {
      const step = key === "-" ? -1 : 1;
      const [first] = draft.cells.filter((cell) => doors.includes(cell.id));
      if (first) change(setSpan(draft, doors, first.rowSpan + step));
    } else return false;
    return true;
  };
  /** Works in the whole editor except in text fields, which have an undo of their own. */
  const onHistoryKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping) return;
    const key = event.key.toLowerCase();
    if (key === "z") travel(event.shiftKey ? redo(history) : undo(history));
    else if (key === "y") travel(redo(history));
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that belong to everything inside.
    <div
      className="layout-editor"
      onKeyDown={onHistoryKey}
      onPointerUp={() => {
        pointer.current.isDragging = false;
      }}
      onPointerLeave={() => {
        pointer.current.isDragging = false;
      }}
    >
      <LayoutTools
        draft={draft}
        modelId={modelId}
        onDraft={change}
        onUndo={history.past.length > 0 ? () => travel(undo(history)) : undefined}
        onRedo={history.future.length > 0 ? () => travel(redo(history)) : undefined}
      />
      <LayoutProblems
        problems={problems}
        onShow={(index) => {
          const cell = draft.cells[index];
          if (!cell) return;
          select(cell.id, "only");
          grid.current?.querySelector<HTMLElement>(`[data-no="${cell.id}"]`)?.focus();
        }}
      />
      <div className="layout-work">
        <div className="layout-stage">
          {isDouble && (
            <div className="layout-side">
              <SideSwitch label="从哪一面看" side={side} onSide={setSide} />
              <span>{sideHint[side]}</span>
            </div>
          )}
          <div className="layout-body">
            <CabinetDrawing
              label="布局"
              gridRef={grid}
              cells={places}
              side={seen}
              isDouble={false}
              least={draft}
              chosenNo={ids[0] ?? null}
              isStill
              render={({ no, column, row, door }, isActive) =>
                door ? (
                  <EditedDoor
                    door={door}
                    problem={problemOf.get(no)}
                    isActive={isActive}
                    isChosen={selected.has(no)}
                  />
                ) : (
                  <button
                    type="button"
                    className="door layout-gap"
                    data-no={no}
                    data-chosen={selected.has(no)}
                    tabIndex={isActive ? 0 : -1}
                    aria-pressed={selected.has(no)}
                    aria-label={`第 ${column} 列第 ${row} 行，空位`}
                  />
                )
              }
              onChoose={(no, event) => {
                // A mouse selects on press; keyboard and touch select on click.
                if (event.detail > 0 && pointer.current.type === "mouse") return;
                const isMore = event.ctrlKey || event.metaKey || pointer.current.type === "touch";
                select(no, event.shiftKey ? "extend" : isMore ? "toggle" : "only");
              }}
              onStep={(no, isExtending) => select(no, isExtending ? "extend" : "only")}
              onKey={onKey}
              onPointer={{
                down: (no, event) => {
                  const isMouse = event.pointerType === "mouse";
                  pointer.current = { type: event.pointerType, isDragging: isMouse };
                  if (!isMouse || event.button !== 0) return;
                  const isMore = event.ctrlKey || event.metaKey;
                  select(no, event.shiftKey ? "extend" : isMore ? "toggle" : "only");
                },
                over: (no) => {
                  if (pointer.current.isDragging) select(no, "extend");
                },
              }}
            />
          </div>
          <p className="layout-keys">
            拖动或 Shift 选多个 · 方向键移动 · S M L X 定大小 · + − 定高度 · Delete 改为空位 ·
            Ctrl+Z 撤销
          </p>
        </div>
        <LayoutPanel draft={draft} doors={doors} gaps={gaps} onDraft={change} />
      </div>
    </div>
  );
}

interface Area {
  column: number;
  row: number;
  rowSpan?: number;
}

/** True if `one` covers the top row of `other`. */
function isOver(one: Area, other: Area): boolean {
  const last = one.row + (one.rowSpan ?? 1) - 1;
  return one.column === other.column && one.row <= other.row && other.row <= last;
}

interface EditedDoorProps {
  door: DraftCell;
  problem: string | undefined;
  isActive: boolean;
  isChosen: boolean;
}

function EditedDoor({ door, problem, isActive, isChosen }: EditedDoorProps) {
  const { id, no, size, rowSpan, boardAddress } = door;
  const label = `${no} 号格口，${sizeText[size]}，高 ${rowSpan} 行，驱动板地址 ${boardAddress || "未填"}`;
  return (
    <button
      type="button"
      className="door layout-door"
      data-no={id}
      data-size={size}
      data-wrong={problem !== undefined}
      data-chosen={isChosen}
      tabIndex={isActive ? 0 : -1}
      aria-pressed={isChosen}
      title={problem}
    >
      <span className="visually-hidden">{problem ? `${label}。${problem}` : label}</span>
      <span className="door-head" aria-hidden="true">
        <b>{no}</b>
        <span className="door-size">{sizeText[size]}</span>
      </span>
      <span className="layout-address" aria-hidden="true">
        {boardAddress || "无地址"}
      </span>
      {problem && (
        <span className="layout-note" aria-hidden="true">
          {problem.replace(/^.*?：/, "").replace(/，.*$/, "")}
        </span>
      )}
    </button>
  );
}
