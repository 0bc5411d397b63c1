// 业务订单: list of third parties' orders with ours, and whether they know our current state.

import {
  type BusinessOrder,
  businessOrderContract,
} from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import { differenceText } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import { sizeText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { useAppFilter } from "../../../domain/app-filter.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { OrderLink, orderNumberWidth } from "../../../domain/order-link.tsx";
import { invalidate } from "../../../kit/query.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { choiceFilter, choicesOf, digitsFilter, textFilter } from "../../../ui/list/filters.tsx";
import { moneyColumn } from "../../../ui/list/money-column.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { deliveryTone } from "../../messaging/webhook/index.ts";
import { OrderStateStatus } from "../../orders/order/index.ts";
import { BusinessOrderDetail } from "./business-order-detail.tsx";
import { differenceTone, webhookText } from "./business-order-text.ts";

const byNo = textFilter("thirdPartyNo", "第三方单号", "完整的单号");
const filters = [
  digitsFilter("orderId", "订单号", "完整的订单号", 16),
  choiceFilter("state", "订单状态", choicesOf(orderStateText)),
  choiceFilter("difference", "差异", choicesOf(differenceText)),
  timeRangeFilter(["from", "to"], "创建时间"),
];

const columns: Column<BusinessOrder>[] = [
  { key: "thirdPartyNo", title: "第三方单号", width: 192, exportWidth: 28 },
  {
    key: "orderId",
    title: "订单号",
    ...orderNumberWidth,
    value: ({ orderId }) => String(orderId),
    render: ({ orderId, side }) => <OrderLink id={orderId} side={side} />,
  },
  { key: "app", title: "接口应用", width: 128, value: ({ appName }) => appName },
  {
    key: "state",
    title: "订单状态",
    width: 96,
    value: ({ state }) => orderStateText[state],
    render: ({ state }) => <OrderStateStatus of={state} />,
  },
  {
    key: "difference",
    title: "差异",
    width: 104,
    value: ({ difference }) => differenceText[difference],
    render: ({ difference }) => (
      <Status tone={differenceTone[difference]}>{differenceText[difference]}</Status>
    ),
  },
  {
    key: "toldState",
    title: "第三方已知",
    width: 96,
    value: ({ toldState: state }) => state && orderStateText[state],
  },
  {
    key: "callback",
    title: "最近回调",
    width: 228,
    exportWidth: 32,
    value: ({ lastCallback }) => lastCallback && webhookText(lastCallback),
    render: ({ lastCallback }) =>
      lastCallback ? (
        <Status tone={deliveryTone[lastCallback.state]} title={webhookText(lastCallback)}>
          {webhookText(lastCallback)}
        </Status>
      ) : (
        <CellText>{null}</CellText>
      ),
  },
  {
    key: "cabinet",
    title: "设备",
    width: 168,
    exportWidth: 32,
    value: ({ cabinetName, cabinetSn }) => `${cabinetName}（${cabinetSn}）`,
    render: ({ cabinetName }) => <CellText>{cabinetName}</CellText>,
  },
  {
    key: "no",
    title: "格口",
    width: 112,
    value: ({ no, size }) => `${no} 号（${sizeText[size]}）`,
  },
  moneyColumn({ key: "priceFen", title: "费用", fen: ({ priceFen }) => priceFen }),
  timeColumn("createdAt", "创建时间"),
];

export const prefetch = listPrefetch(businessOrderContract.list);

export default function BusinessOrderListPage() {
  const appFilter = useAppFilter();
  // Webhooks are delivered after the change of the order.
  useLiveRefresh("callback", () => invalidate(businessOrderContract.list));
  return (
    <ListPage
      title="业务订单"
      spec={businessOrderContract.list}
      filters={[byNo, ...appFilter, ...filters]}
      columns={columns}
      rowKey={({ orderId }) => orderId}
      live="order"
      detail={{
        title: ({ thirdPartyNo }) => thirdPartyNo,
        body: (order) => <BusinessOrderDetail key={order.orderId} order={order} />,
      }}
      emptyHint="第三方通过开放接口创建的订单会出现在这里"
    />
  );
}
