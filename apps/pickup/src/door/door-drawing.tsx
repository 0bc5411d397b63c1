// The drawn door: shut, waiting, open or done, with the compartment's number on it.
import { Icon } from "../ui/icon.tsx";

export type DoorLook = "waiting" | "open" | "warn" | "done";

export function DoorDrawing({ look, no }: { look: DoorLook; no?: number | undefined }) {
  return (
    <div className={`door ${look}`} aria-hidden="true">
      <div className="door-inside" />
      <div className="door-leaf">
        <span className="door-no">{no ?? ""}</span>
        <span className="door-knob" />
      </div>
      {(look === "done" || look === "warn") && (
        <span className="door-mark">
          <Icon name={look} />
        </span>
      )}
    </div>
  );
}
