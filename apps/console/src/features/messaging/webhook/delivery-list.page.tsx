// 回调记录: webhook deliveries to third parties, their results, and resending.
import {
  type WebhookDelivery,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import {
  attemptOutcomeText,
  deliveryPurposeText,
  deliveryStateText,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { useAppFilter } from "../../../domain/app-filter.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { OrderLink, orderNumberWidth } from "../../../domain/order-link.tsx";
import {
  namedChoices,
  type OfTenant,
  tenantChoiceFilter,
} from "../../../domain/tenant/tenant-choice-filter.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { usePermission } from "../../../kit/permission.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useAction } from "../../../ui/display/action.tsx";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import {
  choiceFilter,
  choicesOf,
  digitsFilter,
  type Filter,
  textFilter,
} from "../../../ui/list/filters.tsx";
import type { RowAction } from "../../../ui/list/row-actions.tsx";
import { timeColumn, timeWidth } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { deliveryStatus, deliveryText, outcomeText } from "./webhook-words.ts";

const rare = <Name extends string>(filter: Filter<Name>): Filter<Name> => ({
  ...filter,
  isRare: true,
});

function useEndpointChoices(query: OfTenant) {
  const endpoints = useCall(
    webhookContract.endpoints,
    { query: { page: 1, pageSize: 100, ...query } },
    { staleTime: 60_000 },
  );
  return namedChoices(endpoints.data?.list);
}

function useFilters() {
  const byApp = useAppFilter();
  return [
    timeRangeFilter(["from", "to"], "时间"),
    choiceFilter("state", "状态", choicesOf(deliveryStateText)),
    choiceFilter("type", "事件", choicesOf(webhookEventText)),
    tenantChoiceFilter("endpointId", "回调地址", useEndpointChoices),
    ...byApp,
    digitsFilter("orderId", "订单号", "完整的订单号", 16),
    textFilter("thirdPartyNo", "第三方单号", "完整的单号"),
    rare(textFilter("event", "事件编号", "evt_…")),
    rare(choiceFilter("outcome", "结果", choicesOf(attemptOutcomeText))),
    rare(choiceFilter("purpose", "用途", choicesOf(deliveryPurposeText))),
  ];
}

const columns: Column<WebhookDelivery>[] = [
  timeColumn("createdAt", "时间"),
  {
    key: "type",
    title: "事件",
    width: 148,
    onCard: "mark",
    exportWidth: 28,
    value: deliveryText,
  },
  {
    key: "endpoint",
    title: "回调地址",
    width: 132,
    onCard: "mark",
    value: ({ endpointName }) => endpointName,
  },
  {
    key: "order",
    title: "订单号",
    ...orderNumberWidth,
    value: ({ orderId }) => (orderId === null ? "" : String(orderId)),
    render: ({ orderId, orderSide }) => <OrderLink id={orderId} side={orderSide} />,
  },
  {
    key: "thirdPartyNo",
    title: "第三方单号",
    width: 184,
    isSecondary: true,
    value: ({ thirdPartyNo }) => thirdPartyNo ?? "",
    render: ({ thirdPartyNo }) =>
      thirdPartyNo ? <CellText>{thirdPartyNo}</CellText> : <span className="ui-cell-none">—</span>,
  },
  {
    key: "state",
    title: "状态",
    width: 104,
    onCard: "mark",
    exportWidth: 16,
    value: (delivery) => deliveryStatus(delivery).text,
    render: (delivery) => {
      const { text, tone } = deliveryStatus(delivery);
      return <Status tone={tone}>{text}</Status>;
    },
  },
  {
    key: "outcome",
    title: "最近结果",
    width: 196,
    onCard: "line",
    value: ({ lastOutcome, lastStatus }) => outcomeText(lastOutcome, lastStatus),
    render: ({ lastOutcome, lastStatus }) => (
      <CellText>{outcomeText(lastOutcome, lastStatus)}</CellText>
    ),
  },
  { key: "attempts", title: "次数", width: 68, isSecondary: true, align: "right" },
  {
    key: "next",
    title: "送达 / 下次发送",
    ...timeWidth,
    isSecondary: true,
    value: ({ state, deliveredAt, nextAt }) =>
      formatDateTime(state === "DELIVERED" ? deliveredAt : nextAt),
  },
  { key: "webhookId", title: "事件编号", width: 168, isSecondary: true, exportWidth: 42 },
];

export const prefetch = listPrefetch(webhookContract.deliveries);

export default function DeliveryListPage() {
  const mayReplay = usePermission("callback:replay");
  const { ask, dialog } = useAction();
  const replay = useWrite(webhookContract.replay);

  const actionsOf = ({ id, state, purpose, ...delivery }: WebhookDelivery): RowAction[] => [
    {
      key: "replay",
      label: "重新推送",
      blocked:
        purpose !== "EVENT"
          ? "测试请在回调地址上重新发送"
          : delivery.isEndpointDeleted
            ? "回调地址已删除，不能重新推送"
            : delivery.endpointState === "DISABLED"
              ? `回调地址“${delivery.endpointName}”已停用：请先启用，再重新推送`
              : state === "DELIVERED" || state === "DEAD"
                ? undefined
                : `${deliveryStateText[state]}，不用重新推送`,
      run: () =>
        ask({
          title: "重新推送回调",
          effect: (
            <>
              <p>
                <b>{webhookEventText[delivery.type]}</b>（{delivery.webhookId}）将再次发给
                <b>“{delivery.endpointName}”</b>。
              </p>
              <p>
                {state === "DELIVERED" && "第三方已经收到过这条回调。"}
                重新推送使用相同的 webhook-id，失败时从头按计划重试。
              </p>
            </>
          ),
          confirm: "重新推送",
          run: () => replay.mutateAsync({ params: { id } }),
          done: "已排队发送",
        }),
    },
  ];

  return (
    <>
      <ListPage
        title="回调记录"
        heading={<ViewSwitch />}
        spec={webhookContract.deliveries}
        filters={useFilters()}
        columns={columns}
        rowKey={({ id }) => id}
        live="callback"
        actions={mayReplay && { width: 84, of: (delivery) => delivery.webhookId, list: actionsOf }}
        detail={{
          title: (delivery) => `${deliveryText(delivery)} → ${delivery.endpointName}`,
          body: ({ id }) => <DeliveryDetail id={id} />,
          linked: { title: () => "回调详情", body: (id) => <DeliveryDetail id={id} /> },
        }}
        emptyHint="设置回调地址后，发给第三方的每条事件会显示在这里"
      />
      {dialog}
    </>
  );
}
