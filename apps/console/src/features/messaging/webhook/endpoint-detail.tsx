// Details of a webhook endpoint: subscribed events, state, secrets, latest deliveries.
import {
  type EndpointDetail as Detail,
  type WebhookEndpoint,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import {
  endpointStateText,
  MOST_AT_A_TIME,
  probeResultText,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { Age, Status } from "../../../ui/display/status.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { appText } from "./endpoint-columns.tsx";
import { endpointTone, probeTone } from "./webhook-words.ts";
import "../../../ui/display/basics.css";
import "./webhook.css";

export function EndpointDetail({ endpoint }: { endpoint: WebhookEndpoint }) {
  const answer = useCall(webhookContract.endpoint, { params: { id: endpoint.id } });
  useLiveRefresh("callback", () => answer.refetch());
  if (answer.error && !answer.data) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  const detail = answer.data;
  // Shows the list's data until the details have loaded.
  const known = detail ?? endpoint;
  return (
    <>
      <DrawerSection title="基本信息">
        <Facts
          facts={[
            ["名称", known.name],
            [
              "回调地址",
              <span key="url" className="callback-url">
                {known.url}
              </span>,
            ],
            ["租户", known.tenantName],
            ["接口应用", appText(known)],
            [
              "状态",
              <Status key="state" tone={endpointTone[known.state]}>
                {endpointStateText[known.state]}
              </Status>,
            ],
            [
              "状态说明",
              known.stateReason ? `${known.stateReason}（${formatDateTime(known.stateAt)}）` : null,
            ],
            ["最近修改", `${formatDateTime(known.editedAt)}，${known.editedBy}`],
            ["新增", detail && `${formatDateTime(detail.createdAt)}，${detail.createdBy}`],
          ]}
        />
      </DrawerSection>
      <DrawerSection title="事件">
        <ul className="callback-types">
          {known.types.map((type) => (
            <li key={type} title={type}>
              {webhookEventText[type]}
            </li>
          ))}
        </ul>
      </DrawerSection>
      <Health known={known} medianMs={detail?.medianMs} />
      <DrawerSection title="签名密钥">{detail && <Secrets detail={detail} />}</DrawerSection>
    </>
  );
}

function Health({
  known,
  medianMs,
}: {
  known: WebhookEndpoint;
  medianMs: number | null | undefined;
}) {
  const records = pathTo("/thirdPartApi/record", { endpointId: known.id });
  return (
    <DrawerSection title="送达情况">
      <Facts
        facts={[
          ["24 小时送达", formatNumber(known.delivered24h)],
          ["24 小时失败的请求", formatNumber(known.failed24h)],
          ["送达耗时（中位）", medianMs == null ? medianMs : `${formatNumber(medianMs)} 毫秒`],
          ["等待发送", formatNumber(known.waiting)],
          ["投递失败", formatNumber(known.dead)],
          ["最近送达", <Age key="success" time={known.lastSuccessAt} />],
          ["最近失败", <Age key="failure" time={known.lastFailureAt} />],
          [
            "错误签名测试",
            known.probeResult ? (
              <span key="probe" className="callback-found">
                <Status tone={probeTone[known.probeResult]}>
                  {probeResultText[known.probeResult]}
                </Status>
                <small className="ui-cell-none">{formatDateTime(known.probedAt)}</small>
              </span>
            ) : (
              "未测试过"
            ),
          ],
        ]}
      />
      {known.probeResult === "ACCEPTED" && (
        <p className="callback-note">
          第三方收到签名错误的回调也回应成功：任何人都可以伪造事件发给它。请第三方按接入文档校验签名。
        </p>
      )}
      {known.state === "FAILING" && (
        <p className="callback-note">
          连续失败期间一次只发送一条（平时最多 {MOST_AT_A_TIME} 条），送达一次即恢复正常。
        </p>
      )}
      <p className="callback-note">
        <Link className="ui-link" to={records}>
          查看它的回调记录
        </Link>
      </p>
    </DrawerSection>
  );
}

function Secrets({ detail }: { detail: Detail }) {
  return (
    <Facts
      facts={detail.secrets.map((secret, index) => [
        `whsec_…${secret.hint}`,
        secret.expiresAt
          ? `${formatDateTime(secret.createdAt)} 生成，${formatDateTime(secret.expiresAt)} 失效`
          : `${formatDateTime(secret.createdAt)} 生成${index === 0 ? "，使用中" : ""}`,
      ])}
    />
  );
}
