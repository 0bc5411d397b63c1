// Columns of 回调地址: URL, delivery state, whether the receiver verifies signatures.
import type { WebhookEndpoint } from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import {
  endpointStateText,
  probeResultText,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { formatNumber } from "../../../kit/format.ts";
import { Age, Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { timeWidth } from "../../../ui/list/time-column.ts";
import { endpointTone, probeTone } from "./webhook-words.ts";
import "../../../ui/display/basics.css";

/** Application whose orders it receives events of. */
export const appText = ({ appName, appState }: Pick<WebhookEndpoint, "appName" | "appState">) =>
  appName ? `${appName}${appState === "DISABLED" ? "（已停用）" : ""}` : "不限";

const nameColumn: Column<WebhookEndpoint> = { key: "name", title: "名称", width: 132 };

export const endpointColumns: Column<WebhookEndpoint>[] = [
  nameColumn,
  { key: "url", title: "回调地址", width: 248, exportWidth: 48 },
  {
    key: "state",
    title: "状态",
    width: 108,
    value: ({ state }) => endpointStateText[state],
    render: ({ state, stateReason }) => (
      <Status tone={endpointTone[state]} title={stateReason}>
        {endpointStateText[state]}
      </Status>
    ),
  },
  {
    key: "types",
    title: "事件",
    width: 84,
    isSecondary: true,
    align: "right",
    value: ({ types }) => types.length,
    render: ({ types }) => `${types.length} 种`,
    exports: [
      {
        header: "事件",
        width: 60,
        value: ({ types }) => types.map((type) => webhookEventText[type]).join("、"),
      },
    ],
  },
  {
    key: "app",
    title: "接口应用",
    width: 112,
    isSecondary: true,
    value: appText,
  },
  {
    key: "delivered24h",
    title: "24 小时送达",
    width: 108,
    align: "right",
    render: ({ delivered24h }) => formatNumber(delivered24h),
  },
  {
    key: "waiting",
    title: "等待",
    width: 76,
    align: "right",
    render: ({ waiting }) => formatNumber(waiting),
  },
  {
    key: "dead",
    title: "投递失败",
    width: 92,
    align: "right",
    render: ({ dead }) => formatNumber(dead),
  },
  {
    key: "lastSuccess",
    title: "最近送达",
    ...timeWidth,
    value: ({ lastSuccessAt }) => lastSuccessAt ?? "",
    render: ({ lastSuccessAt }) => <Age time={lastSuccessAt} />,
  },
  {
    key: "probe",
    title: "签名校验",
    width: 148,
    isSecondary: true,
    value: ({ probeResult }) => (probeResult ? probeResultText[probeResult] : "未测试"),
    render: ({ probeResult }) =>
      probeResult ? (
        <Status tone={probeTone[probeResult]}>{probeResultText[probeResult]}</Status>
      ) : (
        <span className="ui-cell-none">未测试</span>
      ),
  },
];
