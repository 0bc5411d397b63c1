// Cabinet front as an ARIA grid of doors for mouse, touch and arrow keys.
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { boardOf, type DrawnCell, type Step, stepFrom } from "./cabinet-drawing.rules.ts";
import "./cabinet-drawing.css";

const steps: Record<string, Step> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "row-start",
  End: "row-end",
};

export interface CabinetDrawingProps<Cell extends DrawnCell> {
  label: string;
  cells: readonly Cell[];
  side: DoorSide;
  isDouble: boolean;
  /** Minimum size of the drawing. */
  least?: { columns: number; rows: number } | undefined;
  /** Tab focuses this cell first; it is scrolled into view. */
  chosenNo?: number | null;
  /** Does not scroll to the chosen cell, because the user is looking at something else. */
  isStill?: boolean;
  /**
   * Renders the cell's own element, which carries `data-no` and takes the focus; only one cell is
   * in the tab order.
   */
  render: (cell: Cell, isActive: boolean) => ReactNode;
  onChoose?: (no: number, event: MouseEvent) => void;
  /** Called when an arrow key moved the focus; `isExtending` with Shift held. */
  onStep?: ((no: number, isExtending: boolean) => void) | undefined;
  /** Handles any other key on a cell; returns true when it was handled. */
  onKey?: (event: KeyboardEvent, no: number) => boolean;
  onPointer?: { down: (no: number, event: PointerEvent) => void; over: (no: number) => void };
  gridRef?: RefObject<HTMLDivElement | null>;
}

export function CabinetDrawing<Cell extends DrawnCell>(props: CabinetDrawingProps<Cell>) {
  const { label, cells, side, least, chosenNo = null, onChoose, onPointer } = props;
  const board = useMemo(() => boardOf(cells, side, least), [cells, side, least]);
  const ownGrid = useRef<HTMLDivElement>(null);
  const grid = props.gridRef ?? ownGrid;
  const [focusedNo, setFocusedNo] = useState<number | null>(null);
  const has = (no: number | null) => cells.some((cell) => cell.no === no);
  const firstNo = board.lines[0]?.places[0]?.cell.no ?? null;
  const activeNo = [focusedNo, chosenNo].find((no) => no !== null && has(no)) ?? firstNo;

  const showDoor = useEffectEvent((no: number) => {
    const door = grid.current?.querySelector<HTMLElement>(`[data-no="${no}"]`);
    if (grid.current?.contains(document.activeElement)) door?.focus();
    else if (!props.isStill) {
      door?.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  });
  useEffect(() => {
    if (chosenNo !== null) showDoor(chosenNo);
  }, [chosenNo]);

  const onKeyDown = (event: KeyboardEvent) => {
    const no = numberOf(event.target);
    if (no === null || event.altKey || event.metaKey) return;
    const step = event.ctrlKey
      ? { Home: "first" as const, End: "last" as const }[event.key]
      : steps[event.key];
    if (step) {
      const target = stepFrom(board, no, step);
      grid.current?.querySelector<HTMLElement>(`[data-no="${target}"]`)?.focus();
      props.onStep?.(target, event.shiftKey);
    } else if (!props.onKey?.(event, no)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot let a door span rows and be mirrored; the role makes arrow keys expected.
    <div
      ref={grid}
      role="grid"
      className="board"
      aria-label={label}
      aria-rowcount={board.rows}
      aria-colcount={board.columns}
      style={{ "--columns": board.columns, "--rows": board.rows } as CSSProperties}
      data-double={props.isDouble}
      onKeyDown={onKeyDown}
      onFocus={(event) => setFocusedNo(numberOf(event.target))}
      onClick={(event) => {
        const no = numberOf(event.target);
        if (no !== null) onChoose?.(no, event);
      }}
      onPointerDown={
        onPointer &&
        ((event) => {
          const no = numberOf(event.target);
          if (no !== null) onPointer.down(no, event);
        })
      }
      onPointerOver={
        onPointer &&
        ((event) => {
          const no = numberOf(event.target);
          if (no !== null) onPointer.over(no);
        })
      }
    >
      {board.lines.map((line) => (
        // biome-ignore lint/a11y/useSemanticElements: see the grid.
        // biome-ignore lint/a11y/useFocusableInteractive: a row is never focused.
        <div key={line.row} role="row" className="board-line" aria-rowindex={line.row}>
          {line.places.map(({ cell, column }) => (
            // biome-ignore lint/a11y/useSemanticElements: see the grid.
            // biome-ignore lint/a11y/useFocusableInteractive: the element inside takes the focus.
            <div
              key={cell.no}
              role="gridcell"
              className="door-place"
              aria-colindex={column}
              aria-rowspan={cell.rowSpan}
              style={{ gridColumn: column, gridRow: `${cell.row} / span ${cell.rowSpan}` }}
            >
              {props.render(cell, cell.no === activeNo)}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Number of the cell that contains this element. */
function numberOf(target: EventTarget): number | null {
  const door = target instanceof Element ? target.closest<HTMLElement>("[data-no]") : null;
  return door ? Number(door.dataset.no) : null;
}
