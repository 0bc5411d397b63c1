// Door of the current compartment during 盘点: each press opens it once, with the result.

import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { type Command, commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { type DoorSide, doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { useCommand } from "../../../../domain/cabinet/command-progress.tsx";
import { stateText, toneOf } from "../../../../domain/cabinet/command-stages.rules.ts";
import {
  adviceOf,
  doorsOf,
  isOppositeInTheWay,
  openRefusal,
} from "../../../../domain/cabinet/open-door.rules.ts";
import { messageOf } from "../../../../kit/feedback.ts";
import { usePermission } from "../../../../kit/permission.ts";
import { useWrite } from "../../../../kit/query.ts";
import { Button } from "../../../../ui/display/button.tsx";
import { Status } from "../../../../ui/display/status.tsx";
import { doorsText } from "../board.rules.ts";
import { useAuditKeys } from "./use-audit-keys.ts";
import "./stock-audit-door.css";

export interface StockAuditDoorProps {
  cabinet: CabinetDetail;
  cell: Compartment;
  reason: string;
}

export function StockAuditDoor({ cabinet, cell, reason }: StockAuditDoorProps) {
  const mayOpen = usePermission("command:open");
  const open = useWrite(commandContract.open, { invalidates: [commandContract.list] });
  const isDouble = cell.doorBack !== null;
  const refusal = openRefusal(cabinet);
  const refusalOf = (side: DoorSide) =>
    refusal ?? (isOppositeInTheWay(cell, side) ? "另一面的门没有关好，两面不能同时打开" : null);
  const isBlocked = (side: DoorSide) => open.isPending || refusalOf(side) !== null;
  const openDoor = (side: DoorSide) => {
    const why = { no: cell.no, reason: `盘点：${reason}` };
    const body = isDouble ? { ...why, side } : why;
    open.mutate({ params: { id: cabinet.id }, body });
  };

  useAuditKeys((key) => {
    const side = { o: "FRONT" as const, b: isDouble ? ("BACK" as const) : undefined }[key];
    if (!side || !mayOpen) return false;
    if (!isBlocked(side)) openDoor(side);
    return true;
  });

  return (
    <div className="audit-door">
      <span className="audit-door-state">{doorsText(cell)}</span>
      {mayOpen && (
        <span className="audit-door-buttons">
          {doorsOf(cell).map(({ side }) => (
            <Button
              key={side}
              loading={open.isPending && open.variables.body.side === (isDouble ? side : undefined)}
              disabled={isBlocked(side)}
              title={refusalOf(side) ?? ""}
              onClick={() => openDoor(side)}
            >
              {isDouble ? `开${doorSideText[side]}门` : "开门"}
            </Button>
          ))}
        </span>
      )}
      <div className="audit-door-result" aria-live="polite">
        {mayOpen && refusal && <p>{refusal}</p>}
        {open.error && <Status tone="bad">{messageOf(open.error)}</Status>}
        {open.data && !open.error && <OpenOutcome key={open.data.id} command={open.data} />}
      </div>
    </div>
  );
}

function OpenOutcome({ command: given }: { command: Command }) {
  const command = useCommand(given);
  const { kind, state, detail } = command;
  return (
    <>
      <Status tone={toneOf(state)}>{stateText(kind, state)}</Status>
      {toneOf(state) !== "good" && toneOf(state) !== "waiting" && (
        <p>
          {detail} {adviceOf(state)}
        </p>
      )}
    </>
  );
}
