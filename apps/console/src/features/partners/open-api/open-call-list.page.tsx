// 调用记录, inbound: third parties' calls with outcome and reason for failed verification.
import { openRefusalText } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import {
  type OpenCall,
  openCallContract,
} from "@cabinet/contract/partners/open-api/open-call.contract.ts";
import { useAppFilter } from "../../../domain/app-filter.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { orderNumberWidth } from "../../../domain/order-link.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatNumber } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { choiceFilter, choicesOf, digitsFilter, textFilter } from "../../../ui/list/filters.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { BusinessOrderLink } from "./business-order-link.tsx";
import { OpenCallView } from "./open-call-detail.tsx";
import { outcomeText, outcomeTone, resultText } from "./open-call-text.ts";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  choiceFilter("outcome", "结果", choicesOf(outcomeText)),
  choiceFilter("refusal", "未通过的原因", choicesOf(openRefusalText)),
  textFilter("thirdPartyNo", "第三方单号", "完整的单号"),
  digitsFilter("orderId", "订单号", "完整的订单号", 16),
  textFilter("requestId", "请求编号", "请求编号（requestId）"),
];

const columns: Column<OpenCall>[] = [
  timeColumn("at", "时间"),
  { key: "app", title: "接口应用", width: 132, onCard: "mark", value: ({ appName }) => appName },
  {
    key: "summary",
    title: "调用",
    width: 148,
    onCard: "mark",
    exportWidth: 36,
    render: ({ summary, method, target }) => (
      <span title={`${method} ${target}`}>
        <CellText>{summary}</CellText>
      </span>
    ),
  },
  {
    key: "outcome",
    title: "结果",
    width: 112,
    onCard: "mark",
    value: ({ outcome }) => outcomeText[outcome],
    render: ({ outcome }) => <Status tone={outcomeTone[outcome]}>{outcomeText[outcome]}</Status>,
  },
  {
    key: "result",
    title: "原因",
    width: 252,
    onCard: "line",
    exportWidth: 44,
    value: resultText,
    render: (call) => <CellText>{resultText(call) || null}</CellText>,
  },
  { key: "status", title: "状态码", width: 76, isSecondary: true, align: "right" },
  { key: "thirdPartyNo", title: "第三方单号", width: 176, onCard: "line" },
  {
    key: "order",
    title: "订单号",
    ...orderNumberWidth,
    isSecondary: true,
    value: ({ orderId }) => (orderId === null ? "" : String(orderId)),
    render: ({ orderId }) => <BusinessOrderLink id={orderId} />,
  },
  { key: "address", title: "来源地址", width: 128, isSecondary: true },
  {
    key: "ms",
    title: "耗时（毫秒）",
    width: 104,
    isSecondary: true,
    align: "right",
    render: ({ ms }) => formatNumber(ms),
  },
];

export const prefetch = listPrefetch(openCallContract.list);

export default function OpenCallListPage() {
  const appFilter = useAppFilter();
  return (
    <ListPage
      title="第三方调用"
      heading={<ViewSwitch />}
      spec={openCallContract.list}
      filters={[...appFilter, ...filters]}
      columns={columns}
      rowKey={({ id }) => id}
      detail={{
        title: ({ summary, appName }) => `${appName}：${summary}`,
        body: (call) => <OpenCallView key={call.id} call={call} />,
      }}
      emptyHint="接口应用的每次调用，无论成功与否，都会记录在这里，保留 90 天"
    />
  );
}
