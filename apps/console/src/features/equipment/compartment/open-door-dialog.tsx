// 远程开门: opens one door once for one reason, then shows its stages until the door sensor reports.

import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { type Command, commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { COMMAND_TTL_SECONDS } from "@cabinet/contract/fleet/command/command.rules.ts";
import {
  type DoorSide,
  doorSideText,
  sizeText,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { isOpenRefused, openReasons } from "../../../domain/cabinet/open-door.rules.ts";
import { OpenNotices, OpenResult } from "../../../domain/cabinet/open-door.tsx";
import { SideSwitch } from "../../../domain/cabinet/side-switch.tsx";
import { useWrite } from "../../../kit/query.ts";
import { ActionDialog, type ConfirmOptions } from "../../../ui/display/action.tsx";
import { HeldByOrder } from "./current-order.tsx";
import "./open-door-dialog.css";

export interface OpenDoorDialogProps {
  cabinet: CabinetDetail;
  /** Undefined: the dialog is closed. */
  cell: Compartment | undefined;
  side: DoorSide;
  onSide: (side: DoorSide) => void;
  now: number;
  onClose: () => void;
}

export function OpenDoorDialog(props: OpenDoorDialogProps) {
  const { cabinet, cell, side, onSide, now, onClose } = props;
  const open = useWrite(commandContract.open, { invalidates: [commandContract.list] });
  const isDouble = cell?.doorBack !== null;
  const question: ConfirmOptions<Command> | null = cell
    ? {
        title: `远程开门：${cell.no} 号格口`,
        effect: (
          <>
            <p>
              将打开“{cabinet.name}”的{" "}
              <b>
                {cell.no} 号格口（{sizeText[cell.size]}）{isDouble && doorSideText[side]}箱门
              </b>
              。指令 {COMMAND_TTL_SECONDS} 秒内有效，过期作废，不会自动重试。
            </p>
            {isDouble && (
              <div className="open-side">
                <SideSwitch label="打开哪一面的门" side={side} onSide={onSide} />
                <span>正面与背面的门不能同时打开</span>
              </div>
            )}
            <HeldByOrder order={cell.order} />
            <OpenNotices cabinet={cabinet} cell={cell} side={side} now={now} />
          </>
        ),
        confirm: "开门",
        isBlocked: isOpenRefused({ cabinet, cell, side, now }),
        reasons: openReasons,
        run: (reason) =>
          open.mutateAsync({
            params: { id: cabinet.id },
            body: { no: cell.no, reason, ...(isDouble && { side }) },
          }),
        outcome: (command) => <OpenResult command={command} />,
      }
    : null;
  return <ActionDialog question={question} onClose={onClose} />;
}
