// One compartment of the drawn front: the leaf of its door, and the inside when it stands open.
import { type DoorSide, sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { memo } from "react";
import { compartmentLabel, type DrawnCompartment, doorOf } from "./simulated-cabinet.rules.ts";

const drawnContent = {
  PRESENT: (
    <svg viewBox="0 0 24 24" className="leaf-parcel" role="presentation">
      <path d="M3 8l9-4 9 4v9l-9 4-9-4z" />
      <path d="M3 8l9 4 9-4M12 12v9M7.5 6l9 4" />
    </svg>
  ),
  EMPTY: <span className="leaf-empty">空</span>,
};

interface SimulatedDoorProps {
  compartment: DrawnCompartment;
  side: DoorSide;
  /** Only door in the tab order (roving tabindex). */
  isActive: boolean;
  isChosen: boolean;
}

export const SimulatedDoor = memo(function SimulatedDoor(props: SimulatedDoorProps) {
  const { compartment, side, isActive, isChosen } = props;
  const { no, size, content, isJammed, isSensorWrong } = compartment;
  const state = doorOf(compartment, side);
  return (
    <button
      type="button"
      className="leaf"
      data-no={no}
      data-door={state}
      aria-pressed={isChosen}
      data-chosen={isChosen}
      tabIndex={isActive ? 0 : -1}
    >
      <span className="visually-hidden">{compartmentLabel(compartment, sizeText[size])}</span>
      <span className="leaf-inside" data-part={state === "OPEN" ? "inside" : undefined} aria-hidden>
        {drawnContent[content]}
      </span>
      <span className="leaf-door" data-part={state === "OPEN" ? "leaf" : undefined} aria-hidden>
        <b>{no}</b>
        <span className="leaf-size">{sizeText[size]}</span>
        {(isJammed || isSensorWrong) && (
          <span className="leaf-fault">{isJammed ? "锁卡住" : "传感器失灵"}</span>
        )}
        <span className="leaf-handle" />
      </span>
    </button>
  );
});
