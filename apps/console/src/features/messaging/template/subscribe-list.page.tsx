// 通知记录 › 订阅消息: subscribe messages with delivery result and fallback text message.
import { messageScenarioText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { subscribeStateText } from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import {
  type SubscribeMessage,
  templateContract,
} from "@cabinet/contract/messaging/template/template.contract.ts";
import { ListPage } from "../../../domain/list-page.tsx";
import { OrderLink, orderNumberWidth } from "../../../domain/order-link.tsx";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { choiceFilter, choicesOf, phoneFilter, textFilter } from "../../../ui/list/filters.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { timeRangeFilter } from "../../../ui/list/time-range-filter.tsx";
import { listPrefetch } from "../../../ui/list/use-list.ts";
import { SubscribeStatus, subscribeResultText } from "./subscribe-state.tsx";
import "../../../ui/display/basics.css";

const filters = [
  timeRangeFilter(["from", "to"], "时间"),
  phoneFilter(),
  choiceFilter("scene", "类型", choicesOf(messageScenarioText)),
  choiceFilter("state", "状态", choicesOf(subscribeStateText)),
  textFilter("orderId", "订单号"),
];

const columns: Column<SubscribeMessage>[] = [
  timeColumn("createdAt", "时间"),
  {
    key: "scene",
    title: "类型",
    width: 128,
    onCard: "mark",
    value: ({ scene, isTest }) => `${messageScenarioText[scene]}${isTest ? "（测试）" : ""}`,
  },
  {
    key: "phone",
    title: "手机号",
    width: 128,
    onCard: "mark",
    value: ({ phone }) => phone || "已注销",
  },
  {
    key: "state",
    title: "状态",
    width: 112,
    onCard: "mark",
    value: ({ state }) => subscribeStateText[state],
    render: ({ state }) => <SubscribeStatus state={state} />,
  },
  {
    key: "outcome",
    title: "说明",
    width: 280,
    onCard: "line",
    exportWidth: 40,
    value: subscribeResultText,
    render: (message) => <CellText>{subscribeResultText(message)}</CellText>,
  },
  {
    key: "orderId",
    title: "订单号",
    ...orderNumberWidth,
    value: ({ orderId }) => orderId?.toString(),
    render: (message) => <OrderLink id={message.orderId} side={message.orderSide} />,
  },
];

export const prefetch = listPrefetch(templateContract.messages);

export default function SubscribeListPage() {
  return (
    <ListPage
      title="订阅消息"
      heading={<ViewSwitch />}
      spec={templateContract.messages}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      live="sms"
      detail={{
        title: ({ scene }) => `${messageScenarioText[scene]}订阅消息`,
        body: (message) => (
          <DrawerSection title="详情">
            <Facts
              facts={[
                ["类型", messageScenarioText[message.scene]],
                ["手机号", message.phone || "已注销"],
                ["租户", message.tenantName],
                ["订单号", <OrderLink key="order" id={message.orderId} side={message.orderSide} />],
                ["模板", message.templateTitle || null],
                ["模板 ID", <code key="id">{message.templateId}</code>],
                ["状态", <SubscribeStatus key="state" state={message.state} />],
                ["说明", subscribeResultText(message) || null],
                ["微信错误码", message.errorCode],
                ["提交微信次数", message.attempts],
                ["写入时间", formatDateTime(message.createdAt)],
                ["结束时间", message.settledAt && formatDateTime(message.settledAt)],
              ]}
            />
          </DrawerSection>
        ),
      }}
      emptyHint="配置订阅消息模板、用户在小程序中同意后，发送的订阅消息会出现在这里"
    />
  );
}
