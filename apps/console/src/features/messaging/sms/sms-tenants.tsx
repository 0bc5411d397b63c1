// Text message balance of each tenant, shortest runway first.
import {
  smsStatisticsContract,
  type TenantSms,
} from "@cabinet/contract/messaging/sms/sms-statistics.contract.ts";
import { isRunningOut } from "@cabinet/contract/messaging/sms/sms-statistics.rules.ts";
import { formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { FigureTable } from "../../../ui/chart/figure-table.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import type { Filter } from "../../../ui/list/filters.tsx";
import "../../../ui/display/basics.css";

const columns: Column<TenantSms>[] = [
  {
    key: "tenant",
    title: "租户",
    width: 180,
    value: (row) => row.tenantName,
    render: (row) => (
      <Link className="ui-link" to={pathTo("/smsManage/index", { tenantId: row.tenantId })}>
        {row.tenantName}
      </Link>
    ),
  },
  {
    key: "left",
    title: "可用条数",
    width: 108,
    align: "right",
    render: (row) => formatNumber(row.left),
  },
  {
    key: "held",
    title: "发送中冻结",
    width: 108,
    align: "right",
    render: (row) => formatNumber(row.held),
  },
  {
    key: "usedLately",
    title: "近 30 天使用",
    width: 116,
    align: "right",
    render: (row) => formatNumber(row.usedLately),
  },
  {
    key: "perDay",
    title: "每天约",
    width: 96,
    align: "right",
    render: (row) => formatNumber(row.perDay),
  },
  {
    key: "daysLeft",
    title: "预计还能用",
    width: 116,
    align: "right",
    render: (row) => (row.daysLeft === null ? "—" : `${row.daysLeft} 天`),
  },
  {
    key: "state",
    title: "余额状态",
    width: 116,
    value: (row) => stateText(row),
    render: (row) => (
      <Status tone={isRunningOut(row.left, row.daysLeft) ? "bad" : "good"}>{stateText(row)}</Status>
    ),
  },
];

function stateText({ left, daysLeft }: TenantSms): string {
  if (left <= 0) return "已用完";
  return isRunningOut(left, daysLeft) ? "即将用完" : "充足";
}

export function SmsTenants({ filters }: { filters: readonly Filter<"tenantId">[] }) {
  return (
    <FigureTable
      title="各租户短信余额"
      spec={smsStatisticsContract.tenants}
      fixed={{}}
      filters={filters}
      columns={columns}
      rowKey={(row) => row.tenantId}
      toolbar={<h2 className="sms-title">各租户余额</h2>}
      emptyHint="为租户充值后，这里按还能用几天排列"
    />
  );
}
