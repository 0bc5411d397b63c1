// Remote opening of a door: notices before, stages that claim no more than is known, advice
// afterwards.

import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import type { DoorSide } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { CommandStages, useCommand } from "./command-progress.tsx";
import { toneOf } from "./command-stages.rules.ts";
import { adviceOf, openNotices, type SeenCell, type SeenPresence } from "./open-door.rules.ts";
import "./open-door.css";

export interface OpenNoticesProps {
  cabinet: SeenPresence;
  cell: SeenCell;
  side: DoorSide;
  now: number;
}

export function OpenNotices({ cabinet, cell, side, now }: OpenNoticesProps) {
  return (
    <ul className="open-notices">
      {openNotices(cabinet, cell, side, now).map((notice) => (
        <li key={notice.text} data-refusal={notice.isRefusal}>
          {notice.text}
        </li>
      ))}
    </ul>
  );
}

/** Live stages, the reason for the result, and advice on the next step. */
export function OpenResult({ command: given }: { command: Command }) {
  const command = useCommand(given);
  return (
    <div className="open-result" aria-live="polite">
      <CommandStages command={command} />
      <div className="open-advice" data-tone={toneOf(command.state)}>
        {command.detail && <b>{command.detail}</b>}
        <p>{adviceOf(command.state)}</p>
      </div>
    </div>
  );
}
