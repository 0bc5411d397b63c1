// The columns of the tenant list.
import type { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { tenantStateText } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { daysLeftText } from "../../../domain/cabinet/cabinet-service.tsx";
import { formatNumber } from "../../../kit/format.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { TenantStatus, UseOfLimit } from "./tenant-display.tsx";
import { featuresText } from "./tenant-features.tsx";
import "../../../ui/display/basics.css";
import { Link, pathTo } from "../../../kit/paths.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";

export const tenantColumns: ColumnOf<typeof tenancyContract.list>[] = [
  { key: "name", title: "租户名称", width: 196, sort: "name" },
  { key: "id", title: "租户编号", width: 84, align: "right", isSecondary: true },
  {
    key: "state",
    title: "状态",
    width: 100,
    value: (row) => tenantStateText[row.state],
    render: (row) => <TenantStatus tenant={row} />,
  },
  {
    key: "expiresOn",
    title: "到期日",
    width: 112,
    sort: "expiresOn",
    exportFormat: "date",
    value: (row) => row.expiresOn ?? "长期有效",
  },
  {
    key: "daysLeft",
    title: "剩余天数",
    width: 96,
    align: "right",
    render: ({ daysLeft }) => (
      <CellText>{daysLeft === null ? null : daysLeftText(daysLeft)}</CellText>
    ),
  },
  {
    key: "operators",
    title: "账号",
    width: 88,
    align: "right",
    exports: [
      { header: "账号", width: 8, value: (row) => row.operators },
      { header: "账号上限", width: 10, value: (row) => row.maxOperators },
    ],
    render: (row) => <UseOfLimit count={row.operators} max={row.maxOperators} />,
  },
  {
    key: "cabinets",
    title: "设备",
    width: 88,
    align: "right",
    exports: [
      { header: "设备", width: 8, value: (row) => row.cabinets },
      { header: "设备上限", width: 10, value: (row) => row.maxCabinets },
    ],
    render: (row) => <UseOfLimit count={row.cabinets} max={row.maxCabinets} />,
  },
  {
    key: "smsLeft",
    title: "短信余额",
    width: 96,
    align: "right",
    render: (row) => (
      <Link className="ui-link" to={smsLink(row.id)} title="查看短信余额与充值记录">
        {formatNumber(row.smsLeft)} 条
      </Link>
    ),
  },
  { key: "features", title: "可选功能", width: 210, value: featuresText },
  {
    key: "contact",
    title: "联系人",
    width: 160,
    value: (row) => `${row.contactName} ${row.contactPhone}`.trim(),
  },
  {
    key: "storageMb",
    title: "文件（MB）",
    width: 120,
    align: "right",
    exports: [
      { header: "文件（MB）", width: 12, value: (row) => row.storageMb },
      { header: "文件上限（MB）", width: 14, value: (row) => row.maxStorageMb },
    ],
    render: (row) => <UseOfLimit count={row.storageMb} max={row.maxStorageMb} />,
  },
  { key: "remark", title: "备注", width: 150, isSecondary: true },
  timeColumn("createdAt", "开通时间", { sort: "createdAt", isSecondary: true }),
];

export const smsLink = (tenantId: number) => pathTo("/register/viewSms", { tenantId });
