// One door of the drawn cabinet: number, size, state, doors, dwell time, remedy.
import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import { unavailableText } from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import {
  type DoorSide,
  doorSideText,
  doorStateText,
  sizeText,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { memo, useState } from "react";
import { type Door, doorsOf } from "../../../domain/cabinet/open-door.rules.ts";
import { cellLabel, conditionsOf, conditionText, type Mark } from "./board.rules.ts";
import { CompartmentIcon } from "./compartment-icon.tsx";

export interface CompartmentCellProps {
  cell: Compartment;
  side: DoorSide;
  dwell: string | null;
  mark: Mark | undefined;
  /** Only door in the tab order (roving tabindex). */
  isActive: boolean;
  isChosen: boolean;
  isDimmed: boolean;
}

/** Memoized: a large cabinet has hundreds of doors, and only the changed ones should re-render. */
export const CompartmentCell = memo(function CompartmentCell(props: CompartmentCellProps) {
  const { cell, side, dwell, mark, isActive, isChosen, isDimmed } = props;
  const [condition] = conditionsOf(cell);
  const reason = cell.unavailableReason && unavailableText[cell.unavailableReason];
  const flash = useFlash(cell);
  const label = cellLabel(cell, dwell);
  return (
    <button
      type="button"
      className="door"
      data-no={cell.no}
      data-condition={condition}
      data-dimmed={isDimmed}
      data-chosen={isChosen}
      tabIndex={isActive ? 0 : -1}
      aria-pressed={isChosen}
      title={reason ? `${reason.why}：${reason.mend}` : undefined}
    >
      <span className="visually-hidden">{mark ? `${label}，盘点：${mark.text}` : label}</span>
      <span className="door-head" aria-hidden="true">
        <b>{cell.no}</b>
        <span className="door-size">{sizeText[cell.size]}</span>
        <Doors doors={doorsOf(cell)} side={side} />
      </span>
      <span className="door-state" aria-hidden="true">
        <CompartmentIcon of={condition} />
        <span className="door-word">{conditionText[condition]}</span>
        {dwell && <span className="door-dwell">{dwell}</span>}
      </span>
      {mark ? (
        <span className="door-note door-mark" data-tone={mark.tone} aria-hidden="true">
          {mark.text}
        </span>
      ) : (
        <span className="door-note" aria-hidden="true">
          {reason?.mend}
        </span>
      )}
      {flash > 0 && <span key={flash} className="door-flash" />}
    </button>
  );
});

/** Both doors of a double-sided compartment, the viewed one emphasized. */
function Doors({ doors, side }: { doors: Door[]; side: DoorSide }) {
  if (doors.length > 1) {
    return (
      <span className="door-doors">
        {doors.map((door) => (
          <span key={door.side} data-door={door.state} data-seen={door.side === side}>
            {doorSideText[door.side].charAt(0)}
            <CompartmentIcon of={`DOOR_${door.state}`} />
          </span>
        ))}
      </span>
    );
  }
  return (
    <span className="door-doors">
      {doors.map((door) => (
        <span key={door.side} data-door={door.state} data-seen="true">
          <CompartmentIcon of={`DOOR_${door.state}`} />
          {doorStateText[door.state]}
        </span>
      ))}
    </span>
  );
}

/** Counter that increments on each change of the door after its first render. */
function useFlash(cell: Compartment): number {
  const { adminState, occupancy, doorFront, doorBack, item } = cell;
  const state = [adminState, occupancy, doorFront, doorBack, item].join();
  const [drawn, setDrawn] = useState({ state, changes: 0 });
  if (drawn.state === state) return drawn.changes;
  setDrawn({ state, changes: drawn.changes + 1 });
  return drawn.changes + 1;
}
