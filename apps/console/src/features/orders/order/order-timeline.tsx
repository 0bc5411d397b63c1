// Live timeline of an order: states, commands, doors, journals and messages.
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { smsResultText } from "@cabinet/contract/messaging/sms/sms-state.rules.ts";
import type {
  TimelineEntry,
  TimelineSource,
} from "@cabinet/contract/orders/order/order.contract.ts";
import { orderContract } from "@cabinet/contract/orders/order/order.contract.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";
import { type ReactNode, useState } from "react";
import { CommandStages } from "../../../domain/cabinet/command-progress.tsx";
import { elapsedMs, stateText, toneOf } from "../../../domain/cabinet/command-stages.rules.ts";
import { formatDateTime, formatMoney } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { AnswerState } from "../../../ui/display/states.tsx";
import { Status } from "../../../ui/display/status.tsx";
import { Timeline, TimelineItem } from "../../../ui/display/timeline.tsx";
import { type RowAction, RowActions } from "../../../ui/list/row-actions.tsx";
import { useLiveRefresh, usePollMs } from "../../../ui/live/live.tsx";
import { SmsStatus, useSmsResend } from "../../messaging/sms/index.ts";
import { SubscribeStatus, subscribeResultText } from "../../messaging/template/index.ts";
import "../../../ui/display/basics.css";
import "./order-timeline.css";

const sourceText: Record<TimelineSource, string> = {
  ORDER: "订单",
  COMMAND: "指令",
  DOOR: "箱门",
  MONEY: "支付",
  SMS: "短信",
  SUBSCRIBE: "微信",
  CALLBACK: "回调",
};

/** Fetches the timeline; refetches on every live topic that may affect the order. */
export function useTimeline(id: number, cabinetId: number | undefined) {
  const answer = useCall(
    orderContract.timeline,
    { params: { id } },
    { refetchInterval: usePollMs() },
  );
  const refresh = () => answer.refetch();
  useLiveRefresh("order", refresh, { cabinetId, pace: "close" });
  useLiveRefresh("command", refresh, { cabinetId, pace: "close" });
  useLiveRefresh("cabinet", refresh, { cabinetId, pace: "close" });
  useLiveRefresh("callback", refresh);
  useLiveRefresh("sms", refresh);
  return answer;
}

/** Entries in view at first; the rest is one click away. */
const FIRST = 6;

interface OrderTimelineProps {
  answer: ReturnType<typeof useTimeline>;
  /** Sends a new pickup code (codes are not resent); undefined if not available. */
  resendCode?: RowAction | undefined;
}

export function OrderTimeline({ answer, resendCode }: OrderTimelineProps) {
  const { data } = answer;
  const { resendOf, dialog } = useSmsResend();
  const [isOldestFirst, setIsOldestFirst] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  if (!data) return <AnswerState answer={answer} />;
  const sorted = isOldestFirst ? data.toReversed() : data;
  const shown = isWhole ? sorted : sorted.slice(0, FIRST);
  const lastCode = data.find(isCode);
  const actionOf = (entry: TimelineEntry): RowAction | undefined => {
    if (isCode(entry)) return entry === lastCode ? resendCode : undefined;
    if (!entry.sms || !resendOf) return undefined;
    const action = resendOf(entry.sms);
    return action.blocked ? undefined : action;
  };
  return (
    <>
      <Timeline>
        {shown.map((entry) => (
          <Entry key={entry.key} entry={entry} action={actionOf(entry)} />
        ))}
      </Timeline>
      {data.length > 1 && (
        <p className="order-timeline-foot">
          {data.length > shown.length && (
            <button type="button" className="ui-link" onClick={() => setIsWhole(true)}>
              展开全部 {data.length} 条
            </button>
          )}
          <button
            type="button"
            className="ui-link"
            onClick={() => setIsOldestFirst((isOldest) => !isOldest)}
          >
            {isOldestFirst ? "改为最新在前" : "改为最早在前"}
          </button>
        </p>
      )}
      {dialog}
    </>
  );
}

const isCode = ({ sms, subscribe }: TimelineEntry) => (sms ?? subscribe)?.scene === "PICKUP_CODE";

function Entry({ entry, action }: { entry: TimelineEntry; action: RowAction | undefined }) {
  const { at, source, text, note, actorName, toState, amountFen, isProblem } = entry;
  const { command, sms, subscribe } = entry;
  const extra = [
    amountFen !== null && formatMoney(amountFen),
    toState && `→ ${orderStateText[toState]}`,
  ].filter(Boolean);
  return (
    <TimelineItem
      source={sourceText[source]}
      title={text}
      at={at}
      extra={extra.join(" ")}
      note={[actorName, note].filter(Boolean).join("：")}
      isProblem={isProblem}
    >
      {command && <CommandOutcome command={command} />}
      {sms && (
        <MessageOutcome
          status={<SmsStatus state={sms.state} />}
          settledAt={sms.settledAt}
          result={smsResultText(sms)}
          action={action}
        />
      )}
      {subscribe && (
        <MessageOutcome
          status={<SubscribeStatus state={subscribe.state} />}
          settledAt={subscribe.settledAt}
          result={subscribeResultText(subscribe)}
          action={action}
        />
      )}
    </TimelineItem>
  );
}

interface MessageOutcomeProps {
  status: ReactNode;
  settledAt: string | null;
  result: string;
  action: RowAction | undefined;
}

function MessageOutcome({ status, settledAt, result, action }: MessageOutcomeProps) {
  return (
    <span className="ui-timeline-outcome">
      {status}
      {settledAt && <small>{formatDateTime(settledAt)}</small>}
      {result && <small>{result}</small>}
      {action && <RowActions of="这条消息" actions={[action]} />}
    </span>
  );
}

/** Command progress while it runs, one line once it is settled. */
function CommandOutcome({ command }: { command: NonNullable<TimelineEntry["command"]> }) {
  if (!hasResult(command.state)) {
    return (
      <div className="order-timeline-stages" aria-live="polite">
        <CommandStages command={command} />
      </div>
    );
  }
  const took = elapsedMs(command, command.settledAt);
  return (
    <span className="ui-timeline-outcome">
      <Status tone={toneOf(command.state)}>{stateText(command.kind, command.state)}</Status>
      {took !== null && <small>{took} ms</small>}
      {command.detail && <small>{command.detail}</small>}
    </span>
  );
}
