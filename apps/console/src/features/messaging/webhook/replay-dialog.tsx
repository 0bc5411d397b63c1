// Replays the webhooks that an endpoint received or missed in a time range, with a preview first.

import { OneOf, Reason, Strict, Timestamp } from "@cabinet/contract/kit/fields.ts";
import {
  type WebhookEndpoint,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import {
  KEPT_DAYS,
  MAX_REPLAY,
  REPLAY_KINDS,
  type ReplayKind,
  replayKindText,
} from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { webhookEventText } from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import Radio from "antd/es/radio";
import { useState } from "react";
import { toast } from "../../../kit/feedback.ts";
import { formatDateTime, formatNumber } from "../../../kit/format.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { DateTimeInput } from "../../../ui/form/date-time-input.tsx";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import { type FieldOf, FormField } from "../../../ui/form/record-form.tsx";
import "./webhook.css";

const Window = Strict({
  from: Timestamp,
  to: Timestamp,
  kind: OneOf(REPLAY_KINDS),
  reason: Reason,
});

const fields: FieldOf<typeof Window>[] = [
  { name: "from", label: "开始时间", control: <DateTimeInput /> },
  { name: "to", label: "结束时间", control: <DateTimeInput isEnd /> },
  {
    name: "kind",
    label: "范围",
    control: (
      <Radio.Group
        options={REPLAY_KINDS.map((kind) => ({ value: kind, label: replayKindText[kind] }))}
      />
    ),
  },
];

const reasonField: FieldOf<typeof Window> = {
  name: "reason",
  label: "原因",
  control: <Input.TextArea rows={2} maxLength={200} placeholder="如：第三方故障期间没有收到" />,
};

interface ReplayDialogProps {
  /** Null: the dialog is closed. */
  endpoint: WebhookEndpoint | null;
  onClose: () => void;
}

const HOUR_MS = 3_600_000;

export function ReplayDialog({ endpoint, onClose }: ReplayDialogProps) {
  const replay = useWrite(webhookContract.replayWindow);
  const [now] = useState(() => Date.now());
  return (
    <FormDialog
      open={endpoint !== null}
      title={endpoint ? `按时间段重新推送：${endpoint.name}` : ""}
      schema={Window}
      initial={{
        from: new Date(now - 24 * HOUR_MS).toISOString(),
        to: new Date(now + HOUR_MS).toISOString(),
        kind: "MISSED" as const,
      }}
      fields={[]}
      submitText="重新推送"
      submit={async (window) => {
        if (!endpoint) return;
        const { count } = await replay.mutateAsync({
          body: { endpointId: endpoint.id, ...window },
        });
        toast.success(count > 0 ? `${formatNumber(count)} 条已排队发送` : "这段时间没有需要发送的");
      }}
      onClose={onClose}
    >
      <p className="callback-note callback-lead">
        发送时使用原来的 webhook-id，第三方据此识别已经处理过的事件。事件保留 {KEPT_DAYS}{" "}
        天，一次最多 {formatNumber(MAX_REPLAY)} 条。
      </p>
      {fields.map((field) => (
        <FormField key={field.name} schema={Window} field={field} />
      ))}
      {endpoint && <Plan endpoint={endpoint} />}
      <FormField schema={Window} field={reasonField} />
    </FormDialog>
  );
}

function Plan({ endpoint }: { endpoint: WebhookEndpoint }) {
  const form = Form.useFormInstance();
  const from = Form.useWatch<string | undefined>("from", form);
  const to = Form.useWatch<string | undefined>("to", form);
  const kind = Form.useWatch<ReplayKind | undefined>("kind", form);
  const isWhole = from !== undefined && to !== undefined && kind !== undefined;
  const body = { endpointId: endpoint.id, from: from ?? "", to: to ?? "", kind: kind ?? "MISSED" };
  const { data, error } = useCall(webhookContract.previewReplay, { body }, { enabled: isWhole });
  return (
    <div className="callback-plan" role="status">
      {error ? (
        <p>{error.message}</p>
      ) : !isWhole ? (
        <p>选择时间后，这里会显示将要发送的事件。</p>
      ) : !data ? (
        <p>正在查询…</p>
      ) : data.count === 0 ? (
        <p>这段时间没有需要发送的事件。</p>
      ) : (
        <>
          <p>
            将发送{" "}
            <b>{data.isTooMany ? `超过 ${formatNumber(MAX_REPLAY)}` : formatNumber(data.count)}</b>{" "}
            条
            {data.isTooMany
              ? "，请缩短时间"
              : `：${formatDateTime(data.firstAt)} 至 ${formatDateTime(data.lastAt)}`}
          </p>
          <ul className="callback-types">
            {data.types.map(({ type, count }) => (
              <li key={type}>
                {webhookEventText[type]} {formatNumber(count)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
