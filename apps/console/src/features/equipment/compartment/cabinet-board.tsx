// Live drawing of a cabinet: every door with its state, operated by mouse, touch and keys.
import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { CabinetDrawing } from "../../../domain/cabinet/cabinet-drawing.tsx";
import { dwellText } from "../../../domain/cabinet/open-door.rules.ts";
import { type Condition, conditionsOf, type Mark } from "./board.rules.ts";
import { CompartmentCell } from "./compartment-cell.tsx";
import { useIsWide } from "./use-is-wide.ts";
import "./cabinet-board.css";

export interface CabinetBoardProps {
  label: string;
  cells: readonly Compartment[];
  side: DoorSide;
  now: number;
  /** Doors with another condition are dimmed in place. */
  filter: Condition | null;
  chosenNo: number | null;
  onChoose: (no: number) => void;
  /** Called for the key O on a door. */
  onOpen?: ((no: number) => void) | undefined;
  /** Findings during 盘点; the chosen door then follows the arrow keys. */
  marks?: ReadonlyMap<number, Mark> | undefined;
}

export function CabinetBoard(props: CabinetBoardProps) {
  const { label, cells, side, now, filter, chosenNo, onChoose, onOpen, marks } = props;
  const isWide = useIsWide();
  return (
    <CabinetDrawing
      label={label}
      cells={cells}
      side={side}
      isDouble={cells.some((cell) => cell.doorBack !== null)}
      chosenNo={chosenNo}
      // On a phone the guide is above the cabinet and must not scroll away.
      isStill={!isWide && marks !== undefined}
      render={(cell, isActive) => (
        <CompartmentCell
          cell={cell}
          side={side}
          dwell={dwellText(cell.occupiedSince, now)}
          mark={marks?.get(cell.no)}
          isActive={isActive}
          isChosen={cell.no === chosenNo}
          isDimmed={filter !== null && !conditionsOf(cell).includes(filter)}
        />
      )}
      onChoose={onChoose}
      onStep={marks && onChoose}
      onKey={(event, no) => {
        if (event.key.toLowerCase() !== "o" || !onOpen || event.ctrlKey) return false;
        if (!event.repeat) onOpen(no);
        return true;
      }}
    />
  );
}
