// Columns of the list of new devices.
import type { DeviceStock } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  codeStateText,
  stockStateText,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { codeStateTone, stockStateTone } from "./device-stock-display.rules.ts";

export function CodeStatus({ device }: { device: DeviceStock }) {
  const { codeState, codeExpiresAt } = device;
  if (device.state === "SCRAPPED") return <span className="ui-cell-none">—</span>;
  const until = codeState === "VALID" ? `有效期至 ${formatDateTime(codeExpiresAt)}` : undefined;
  return (
    <Status tone={codeStateTone[codeState]} {...(until && { title: until })}>
      {codeStateText[codeState]}
    </Status>
  );
}

export const deviceStockColumns: Column<DeviceStock>[] = [
  { key: "sn", title: "设备编号", width: 156, keepsEnd: true, exportWidth: 24 },
  { key: "model", title: "型号", width: 120, value: (row) => row.modelName },
  {
    key: "state",
    title: "状态",
    width: 92,
    value: (row) => stockStateText[row.state],
    render: (row) => <Status tone={stockStateTone[row.state]}>{stockStateText[row.state]}</Status>,
  },
  { key: "tenant", title: "租户", width: 156, exportWidth: 30, value: (row) => row.tenantName },
  {
    key: "code",
    title: "激活码",
    width: 132,
    value: (row) => (row.state === "SCRAPPED" ? null : codeStateText[row.codeState]),
    render: (row) => <CodeStatus device={row} />,
    exports: [
      {
        header: "激活码状态",
        width: 16,
        value: (row) => (row.state === "SCRAPPED" ? null : codeStateText[row.codeState]),
      },
      {
        header: "激活码有效期",
        width: 22,
        format: "time",
        value: (row) => row.codeExpiresAt && formatDateTime(row.codeExpiresAt),
      },
    ],
  },
  { key: "batch", title: "批次", width: 108, value: (row) => row.batch || null },
  timeColumn("importedAt", "登记时间", { isSecondary: true }),
  timeColumn("activatedAt", "激活时间", { isSecondary: true }),
  { key: "importedBy", title: "登记人", width: 92, isSecondary: true },
  {
    key: "remark",
    title: "备注",
    width: 160,
    isSecondary: true,
    value: (row) => row.remark || null,
  },
];
