// Columns of 设备服务: cabinet, tenant, first and last day, days left.
import { lifecycleText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { serviceStateText } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import type { cabinetServiceContract } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import { daysLeftText, ServiceStatus } from "../../../domain/cabinet/cabinet-service.tsx";
import { LifecycleStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import { CellText } from "../../../ui/list/data-table.tsx";
import type { ColumnOf } from "../../../ui/list/use-list.ts";

export const serviceColumns: ColumnOf<typeof cabinetServiceContract.list>[] = [
  { key: "name", title: "设备名称", width: 160, sort: "name" },
  { key: "tenant", title: "租户", width: 120, value: (row) => row.tenantName },
  { key: "sn", title: "编号", width: 132, keepsEnd: true, sort: "sn" },
  {
    key: "state",
    title: "服务状态",
    width: 100,
    value: (row) => serviceStateText[row.service.state],
    render: (row) => <ServiceStatus service={row.service} />,
  },
  {
    key: "endsOn",
    title: "到期日",
    width: 104,
    sort: "endsOn",
    exportFormat: "date",
    value: (row) => row.service.endsOn,
  },
  {
    key: "daysLeft",
    title: "剩余天数",
    width: 96,
    align: "right",
    value: (row) => row.service.daysLeft,
    render: ({ service: { daysLeft } }) => (
      <CellText>{daysLeft === null ? null : daysLeftText(daysLeft)}</CellText>
    ),
  },
  { key: "occupied", title: "在柜物品", width: 84, align: "right" },
  {
    key: "startsOn",
    isSecondary: true,
    title: "开始日期",
    width: 104,
    exportFormat: "date",
    value: (row) => row.service.startsOn,
  },
  {
    key: "lifecycle",
    title: "运营状态",
    width: 92,
    value: (row) => lifecycleText[row.lifecycle],
    render: (row) => <LifecycleStatus of={row.lifecycle} />,
  },
  { key: "model", isSecondary: true, title: "型号", width: 132, value: (row) => row.modelName },
  { key: "store", isSecondary: true, title: "门店", width: 150, value: (row) => row.storeName },
  { key: "stopReason", isSecondary: true, title: "停止原因", width: 150 },
];
