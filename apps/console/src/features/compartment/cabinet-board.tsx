// The cabinet as it stands: a grid of doors that mouse, finger and arrow keys move over.
import type { Compartment } from "@cabinet/contract/compartment/compartment.contract.ts";
import type { DoorSide } from "@cabinet/contract/compartment/compartment.rules.ts";
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import {
  boardOf,
  type Condition,
  conditionsOf,
  dwellText,
  type Mark,
  type Step,
  stepFrom,
} from "./board.rules.ts";
import { CompartmentCell } from "./compartment-cell.tsx";
import { useIsWide } from "./use-surroundings.ts";
import "./cabinet-board.css";

const steps: Record<string, Step> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "row-start",
  End: "row-end",
};

export interface CabinetBoardProps {
  label: string;
  cells: readonly Compartment[];
  side: DoorSide;
  now: number;
  /** Others are dimmed, and stay where they are. */
  filter: Condition | null;
  chosenNo: number | null;
  onChoose: (no: number) => void;
  /** The key O on a door. */
  onOpen?: ((no: number) => void) | undefined;
  /** During 盘点: what was found; the chosen door follows the arrow keys. */
  marks?: ReadonlyMap<number, Mark> | undefined;
}

export function CabinetBoard(props: CabinetBoardProps) {
  const { label, cells, side, now, filter, chosenNo, onChoose, onOpen, marks } = props;
  const board = useMemo(() => boardOf(cells, side), [cells, side]);
  const grid = useRef<HTMLDivElement>(null);
  const [focusedNo, setFocusedNo] = useState<number | null>(null);
  const has = (no: number | null) => cells.some((cell) => cell.no === no);
  const firstNo = board.lines[0]?.places[0]?.cell.no ?? null;
  const activeNo = [focusedNo, chosenNo].find((no) => no !== null && has(no)) ?? firstNo;

  const isAuditOnPhone = !useIsWide() && marks !== undefined;
  const showDoor = useEffectEvent((no: number) => {
    const door = grid.current?.querySelector<HTMLElement>(`[data-no="${no}"]`);
    if (grid.current?.contains(document.activeElement)) door?.focus();
    // There the guide stands above the cabinet, and must stay where it is.
    else if (!isAuditOnPhone) {
      door?.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  });
  useEffect(() => {
    if (chosenNo !== null) showDoor(chosenNo);
  }, [chosenNo]);

  const moveTo = (no: number) => {
    grid.current?.querySelector<HTMLElement>(`[data-no="${no}"]`)?.focus();
    if (marks) onChoose(no);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const no = numberOf(event.target);
    if (no === null || event.altKey || event.metaKey) return;
    const step = event.ctrlKey
      ? { Home: "first" as const, End: "last" as const }[event.key]
      : steps[event.key];
    if (step) {
      moveTo(stepFrom(board, no, step));
    } else if (event.key.toLowerCase() === "o" && onOpen && !event.ctrlKey) {
      if (!event.repeat) onOpen(no);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: see the doors; the role makes arrow keys expected.
    <div
      ref={grid}
      role="grid"
      className="board"
      aria-label={label}
      aria-rowcount={board.rows}
      aria-colcount={board.columns}
      style={{
        gridTemplateColumns: `repeat(${board.columns}, minmax(var(--door-width), 1fr))`,
        gridTemplateRows: `repeat(${board.rows}, var(--door-height))`,
      }}
      data-double={cells.some((cell) => cell.doorBack !== null)}
      onKeyDown={onKeyDown}
      onFocus={(event) => setFocusedNo(numberOf(event.target))}
      onClick={(event) => {
        const no = numberOf(event.target);
        if (no !== null) onChoose(no);
      }}
    >
      {board.lines.map((line) => (
        // biome-ignore lint/a11y/useSemanticElements: see the doors.
        // biome-ignore lint/a11y/useFocusableInteractive: a row is never focused.
        <div key={line.row} role="row" className="board-line" aria-rowindex={line.row}>
          {line.places.map(({ cell, column }) => (
            <CompartmentCell
              key={cell.no}
              cell={cell}
              column={column}
              side={side}
              dwell={dwellText(cell.occupiedSince, now)}
              mark={marks?.get(cell.no)}
              isActive={cell.no === activeNo}
              isChosen={cell.no === chosenNo}
              isDimmed={filter !== null && !conditionsOf(cell).includes(filter)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The number of the door that holds this element. */
function numberOf(target: EventTarget): number | null {
  const door = target instanceof Element ? target.closest<HTMLElement>("[data-no]") : null;
  return door ? Number(door.dataset.no) : null;
}
