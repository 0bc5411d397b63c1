// Details of a webhook delivery: the exact bytes sent, the signature, the result of each attempt.
import {
  type DeliveryDetail as Detail,
  type WebhookAttempt,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import {
  attemptAdvice,
  deliveryPurposeText,
  SCHEDULE_SECONDS,
  signedText,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import { OrderLink } from "../../../domain/order-link.tsx";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { JsonView } from "../../../ui/display/json-view.tsx";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { deliveryStatus, outcomeText } from "./webhook-words.ts";
import "./webhook.css";

export function DeliveryDetail({ id }: { id: number }) {
  const answer = useCall(webhookContract.delivery, { params: { id } });
  useLiveRefresh("callback", () => answer.refetch(), { pace: "close" });
  const { data } = answer;
  if (!data) return <AnswerState answer={answer} />;
  return (
    <>
      <DrawerSection title="概要">
        <Summary delivery={data} />
      </DrawerSection>
      <DrawerSection title={`请求记录（${data.list.length} 次）`}>
        <Attempts delivery={data} />
      </DrawerSection>
      <DrawerSection title="发送的内容">
        {data.body === null ? (
          <p className="callback-note">未编号，即将发送。</p>
        ) : (
          <JsonView text={data.body} label="发送的内容" />
        )}
      </DrawerSection>
    </>
  );
}

function Summary({ delivery }: { delivery: Detail }) {
  const { orderId, orderSide, state, nextAt, lastOutcome } = delivery;
  const status = deliveryStatus(delivery);
  const advice = state === "DELIVERED" ? undefined : lastOutcome && attemptAdvice[lastOutcome];
  return (
    <>
      <Facts
        facts={[
          ["事件", `${webhookEventText[delivery.type]}（${delivery.type}）`],
          ["webhook-id", <code key="id">{delivery.webhookId}</code>],
          ["发生时间", formatDateTime(delivery.happenedAt)],
          [
            "编号（tenantSeq）",
            delivery.tenantSeq === null ? null : formatNumber(delivery.tenantSeq),
          ],
          ["租户", delivery.tenantName],
          [
            "回调地址",
            delivery.isEndpointDeleted
              ? `${delivery.endpointName}（已删除）`
              : `${delivery.endpointName}${delivery.endpointState === "DISABLED" ? "（已停用）" : ""}`,
          ],
          ...(delivery.purpose === "EVENT"
            ? []
            : [["用途", deliveryPurposeText[delivery.purpose]] as const]),
          ...(orderId === null
            ? []
            : [
                ["订单号", <OrderLink key="order" id={orderId} side={orderSide} />] as const,
                ["第三方单号", delivery.thirdPartyNo] as const,
              ]),
          [
            "状态",
            <Status key="state" tone={status.tone}>
              {status.text}
            </Status>,
          ],
          ["最近结果", outcomeText(lastOutcome, delivery.lastStatus)],
          ...(state === "WAITING"
            ? [
                [
                  "下次发送",
                  delivery.endpointState === "DISABLED" && delivery.purpose === "EVENT"
                    ? "回调地址已停用，启用后发送"
                    : `${formatDateTime(nextAt)}（本轮第 ${delivery.failures + 1} / ${SCHEDULE_SECONDS.length} 次）`,
                ] as const,
              ]
            : []),
          ...(delivery.deliveredAt
            ? [["送达时间", formatDateTime(delivery.deliveredAt)] as const]
            : []),
        ]}
      />
      {advice && <p className="callback-note">{advice}</p>}
    </>
  );
}

function Attempts({ delivery }: { delivery: Detail }) {
  if (delivery.list.length === 0) return <p className="callback-note">暂无发送记录。</p>;
  return (
    <ol className="callback-attempts">
      {delivery.list.map((attempt, index) => (
        <li key={attempt.no}>
          <details open={index === 0}>
            <summary>
              <b>第 {attempt.no} 次</b>
              <Status tone={toneOf(attempt)}>
                {attempt.outcome ? outcomeText(attempt.outcome, attempt.status) : "发送中"}
              </Status>
              {attempt.durationMs !== null && (
                <small>{formatNumber(attempt.durationMs)} 毫秒</small>
              )}
              {attempt.round > 1 && <small>第 {attempt.round} 轮</small>}
              <time dateTime={attempt.startedAt}>{formatDateTime(attempt.startedAt)}</time>
            </summary>
            <Attempt attempt={attempt} delivery={delivery} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function toneOf({ outcome }: WebhookAttempt) {
  if (outcome === null) return "waiting";
  if (outcome === "DELIVERED") return "good";
  return outcome === "UNKNOWN" ? "doubtful" : "bad";
}

function Attempt({ attempt, delivery }: { attempt: WebhookAttempt; delivery: Detail }) {
  const { url, address, detail, sentAt, signature, responseText } = attempt;
  const { body, webhookId, purpose } = delivery;
  const timestamp = sentAt === null ? null : Math.floor(Date.parse(sentAt) / 1000);
  const headers =
    timestamp === null
      ? null
      : [
          `POST ${url}`,
          "content-type: application/json; charset=utf-8",
          `webhook-id: ${webhookId}`,
          `webhook-timestamp: ${timestamp}`,
          `webhook-signature: ${signature}`,
        ].join("\n");
  return (
    <div className="callback-attempt">
      <Facts
        facts={[
          [
            "地址",
            <span key="url" className="callback-url">
              {url}
            </span>,
          ],
          ["连接到", address],
          ...(detail ? [["说明", detail] as const] : []),
          ...(attempt.retryAfter === null
            ? []
            : [["Retry-After", `${formatNumber(attempt.retryAfter)} 秒`] as const]),
          ...(attempt.responseType ? [["回应类型", attempt.responseType] as const] : []),
        ]}
      />
      {headers !== null && (
        <div>
          <h3>请求头</h3>
          <JsonView text={headers} label="请求头" />
        </div>
      )}
      {timestamp !== null && body !== null && (
        <div>
          <h3>签名原文（webhook-id.webhook-timestamp.正文）</h3>
          <JsonView text={signedText(webhookId, timestamp, body)} label="签名原文" />
          <p className="callback-note">
            {purpose === "PROBE"
              ? "这是错误签名测试：签名用的不是第三方的密钥，第三方应当拒绝。"
              : "第三方用密钥（whsec_ 之后的部分经 Base64 解码）对它做 HMAC-SHA256，再以 Base64 编码，应与请求头中某个 v1 签名相同；正文须用收到的原始字节。"}
          </p>
        </div>
      )}
      {responseText !== null && responseText !== "" && (
        <div>
          <h3>回应的开头</h3>
          <JsonView text={responseText} label="回应的开头" />
        </div>
      )}
    </div>
  );
}
