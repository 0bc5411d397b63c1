// Switch 正面 or 背面: the viewed side of a cabinet, or one of two doors.
import {
  DOOR_SIDES,
  type DoorSide,
  doorSideText,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import "./side-switch.css";

export interface SideSwitchProps {
  label: string;
  side: DoorSide;
  onSide: (side: DoorSide) => void;
}

export function SideSwitch({ label, side, onSide }: SideSwitchProps) {
  return (
    <fieldset className="side-switch" aria-label={label}>
      {DOOR_SIDES.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === side}
          onClick={() => onSide(choice)}
        >
          {doorSideText[choice]}
        </button>
      ))}
    </fieldset>
  );
}
