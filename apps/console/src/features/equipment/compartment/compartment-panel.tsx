// Panel of one compartment: its four states, why it is unavailable, the remedy, its history.

import type { Compartment } from "@cabinet/contract/equipment/compartment/compartment.contract.ts";
import {
  type AdminAction,
  adminActions,
  mayChangeAdminState,
  mayClear,
  unavailableText,
} from "@cabinet/contract/equipment/compartment/compartment.rules.ts";
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  orderRefusal,
  orderRefusalText,
} from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import {
  adminStateText,
  doorSideText,
  doorStateText,
  itemStateText,
  occupancyText,
  sizeText,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { doorsOf, dwellText, openRefusal } from "../../../domain/cabinet/open-door.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { Button } from "../../../ui/display/button.tsx";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { conditionsOf, conditionText } from "./board.rules.ts";
import type { CompartmentActions } from "./compartment-actions.tsx";
import { CommandHistory, EventHistory } from "./compartment-history.tsx";
import { CompartmentIcon } from "./compartment-icon.tsx";
import { CurrentOrder } from "./current-order.tsx";
import { lastStateText } from "./last-state.ts";
import "../../../ui/display/basics.css";
import "./compartment-panel.css";

export interface CompartmentPanelProps {
  cabinet: CabinetDetail;
  cell: Compartment;
  now: number;
  offered: CompartmentActions;
  onOpen: () => void;
  onAudit: () => void;
}

export function CompartmentPanel(props: CompartmentPanelProps) {
  const { cabinet, cell, now, onOpen } = props;
  const may = usePermissions();
  const refusal = openRefusal(cabinet);
  const lastState = lastStateText(cabinet, now);
  return (
    <div className="panel">
      <Verdict {...props} />
      <div className="panel-actions">
        {may("command:open") && (
          <Button type="primary" disabled={refusal !== null} onClick={onOpen}>
            远程开门
          </Button>
        )}
        {may("command:open") && refusal && <p className="panel-blocked">{refusal}</p>}
        <Actions {...props} />
      </div>
      <DrawerSection title={lastState ? `状态（${lastState}）` : "状态"}>
        <Facts facts={factsOf(cell, now)} />
      </DrawerSection>
      {cell.order && <CurrentOrder cabinet={cabinet} order={cell.order} />}
      {may("command:read") && <CommandHistory cabinetId={cabinet.id} no={cell.no} />}
      <EventHistory cabinetId={cabinet.id} no={cell.no} />
    </div>
  );
}

export function panelTitle(cell: Compartment): string {
  return `${cell.no} 号格口（${sizeText[cell.size]}）`;
}

/** Availability, or the reason against it with the remedy next to it. */
function Verdict({ cabinet, cell, offered, onAudit }: CompartmentPanelProps) {
  const may = usePermissions();
  const [condition, ...others] = conditionsOf(cell);
  const refusal = orderRefusal(cabinet);
  const reason =
    cell.unavailableReason === "NO_NEW_ORDERS" && refusal
      ? { why: `不接新单，${orderRefusalText[refusal].why}`, mend: orderRefusalText[refusal].mend }
      : cell.unavailableReason && unavailableText[cell.unavailableReason];
  return (
    <div className="panel-verdict" data-condition={condition}>
      <CompartmentIcon of={condition} />
      <div>
        <b>{reason ? `不可用：${reason.why}` : "可用"}</b>
        <p>
          {reason?.mend ?? "可以接收新的存件"}
          {others.length > 0 && `；同时：${others.map((other) => conditionText[other]).join("、")}`}
        </p>
      </div>
      {cell.adminState !== "ENABLED" && may("compartment:write") && (
        <Button size="small" onClick={() => offered.enable(cell)}>
          启用
        </Button>
      )}
      {(cell.adminState === "FAULT" || condition === "CONTRADICTORY") &&
        may("malfunction:read") && (
          <Link
            className="ui-link"
            to={pathTo("/malfunction/index", {
              state: "ALL",
              cabinetId: cabinet.id,
              compartmentNo: cell.no,
            })}
          >
            查看故障
          </Link>
        )}
      {condition === "CONTRADICTORY" && may("compartment:clear") && (
        <Button size="small" onClick={onAudit}>
          盘点
        </Button>
      )}
    </div>
  );
}

function Actions({ cell, offered }: CompartmentPanelProps) {
  const may = usePermissions();
  // 启用 is already offered next to the reason above.
  const actions: AdminAction[] = ["disable", "markFault"];
  return (
    <>
      {may("compartment:write") &&
        actions
          .filter((action) => mayChangeAdminState(action, cell.adminState))
          .map((action) => (
            <Button key={action} onClick={() => offered[action](cell)}>
              {cell.adminState === "FAULT" ? "再次标记故障" : adminActions[action].text}
            </Button>
          ))}
      {may("compartment:clear") && cell.occupancy !== "FREE" && (
        <>
          <Button danger disabled={!mayClear(cell)} onClick={() => offered.clear(cell)}>
            清柜
          </Button>
          {!mayClear(cell) && (
            <p className="panel-blocked">
              不能清柜：传感器仍检测到物品，请先取出；若传感器有误，请用盘点更正
            </p>
          )}
        </>
      )}
    </>
  );
}

function factsOf(cell: Compartment, now: number): DescriptionItem[] {
  const unknown = "未知（设备未上报）";
  const doors = doorsOf(cell);
  const dwell = dwellText(cell.occupiedSince, now);
  return [
    ["系统记录", occupancyText[cell.occupancy]],
    ["物品传感器", cell.item === "UNKNOWN" ? unknown : itemStateText[cell.item]],
    ...doors.map(
      ({ side, state }): DescriptionItem => [
        doors.length > 1 ? `${doorSideText[side]}箱门` : "箱门",
        state === "UNKNOWN" ? unknown : doorStateText[state],
      ],
    ),
    ["管理状态", adminStateText[cell.adminState]],
    ...(cell.adminReason ? [["原因", cell.adminReason] as const] : []),
    ...(dwell ? [["占用自", `${formatDateTime(cell.occupiedSince)}（${dwell}）`] as const] : []),
    ["驱动板地址", cell.boardAddress],
  ];
}
