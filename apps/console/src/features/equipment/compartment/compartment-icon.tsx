// Icon for each state, so that colour is never the only distinction.
import type { DoorState } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Condition } from "./board.rules.ts";
import "./condition.css";

const RING = "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17Z";

const paths: Record<Condition | `DOOR_${DoorState}`, string> = {
  AVAILABLE: `${RING}M8 12.3l2.8 2.8L16.2 9.5`,
  OCCUPIED: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  RESERVED: `${RING}M12 7.5V12l3 2`,
  DISABLED: `${RING}M6.2 6.2l11.6 11.6`,
  FAULT:
    "M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.7 1.7 2.7-2.7a4 4 0 0 1-5.4 4.9L8.5 19.2a1.9 1.9 0 0 1-2.7-2.7l7.3-7.3a4 4 0 0 1 1.4-2.7Z",
  CONTRADICTORY: "M12 4 21 20H3zM12 10v4.5M12 17v.1",
  DOOR_OPEN: "M12 20.5H5v-17h7M12 3.5l7 2.2v12.6l-7 2.2zM14.8 12v.1",
  NO_NEW_ORDERS: `${RING}M8 12h8`,
  OFFLINE: "M5 12.5a10 10 0 0 1 14 0M8.5 16a5 5 0 0 1 7 0M12 19.5v.1M4 4l16 16",
  DOOR_CLOSED: "M8 11V8a4 4 0 0 1 8 0v3M6 11h12v9H6z",
  DOOR_UNKNOWN: "M9 9.5a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1.1-1.3 2.1M12 17.5v.1",
};

/** Decorative: the text is next to it. */
export function CompartmentIcon({ of }: { of: keyof typeof paths }) {
  return (
    <svg className="door-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[of]} />
    </svg>
  );
}
