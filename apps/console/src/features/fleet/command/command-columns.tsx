// Columns of the operation log; stages in milliseconds since the command was created.
import type { Command } from "@cabinet/contract/fleet/command/command.contract.ts";
import { actorKindText } from "@cabinet/contract/vocabulary/order.rules.ts";
import {
  commandTitle,
  elapsedMs,
  stateText,
  toneOf,
} from "../../../domain/cabinet/command-stages.rules.ts";
import { OrderLink, orderNumberWidth } from "../../../domain/order-link.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";

function stageColumn(key: "sentAt" | "ackedAt" | "settledAt", stage: string): Column<Command> {
  const header = `${stage} ms`;
  return {
    key,
    title: header,
    width: 80,
    align: "right",
    isSecondary: true,
    exportWidth: 12,
    value: (command) => elapsedMs(command, command[key]),
    render: (command) => <CellText>{elapsedMs(command, command[key])}</CellText>,
  };
}

export const commandColumns: Column<Command>[] = [
  timeColumn("createdAt", "时间"),
  { key: "what", title: "操作", width: 184, value: commandTitle },
  { key: "cabinetName", title: "设备名称", width: 172 },
  tenantColumn(),
  {
    key: "state",
    title: "结果",
    width: 164,
    value: (command) => stateText(command.kind, command.state),
    render: (command) => (
      <Status tone={toneOf(command.state)} title={command.detail ?? ""}>
        {stateText(command.kind, command.state)}
      </Status>
    ),
  },
  {
    key: "actorKind",
    title: "操作人类型",
    width: 104,
    value: ({ actorKind }) => actorKindText[actorKind],
  },
  { key: "actorName", title: "操作人", width: 152 },
  {
    key: "orderId",
    title: "订单号",
    ...orderNumberWidth,
    render: ({ orderId, cabinetSide }) => <OrderLink id={orderId} side={cabinetSide} />,
  },
  { key: "reason", title: "原因", width: 160, exportWidth: 30 },
  stageColumn("sentAt", "下发"),
  stageColumn("ackedAt", "执行"),
  stageColumn("settledAt", "结束"),
  { key: "cabinetSn", isSecondary: true, title: "设备编号", width: 144 },
  { key: "detail", isSecondary: true, title: "说明", width: 184, exportWidth: 30 },
];
