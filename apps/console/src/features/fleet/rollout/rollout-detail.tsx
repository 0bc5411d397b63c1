// Detail view of one roll-out: progress by stage, targets with state and reason, events.
import {
  type RolloutDetail as Detail,
  type Rollout,
  type RolloutEvent,
  rolloutContract,
} from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { rolloutKindText } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import Alert from "antd/es/alert";
import { formatDateTime } from "../../../kit/format.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { Age } from "../../../ui/display/status.tsx";
import { contentText, ProgressBar, RolloutStatus } from "./rollout-columns.tsx";
import { eventText, partsText } from "./rollout-display.rules.ts";
import { RolloutTargets } from "./rollout-targets.tsx";
import "./rollout-detail.css";

export function RolloutDetail({ rollout }: { rollout: Rollout }) {
  const answer = useCall(rolloutContract.get, { params: { id: rollout.id } });
  const detail = answer.data;
  if (answer.error && !detail) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  const shown = detail ?? rollout;
  return (
    <>
      {shown.state === "STOPPED" && (
        <Alert
          className="rollout-alert"
          type="error"
          showIcon
          title="已自动停止，没有再向新的设备下发"
          description={shown.stateReason}
        />
      )}
      <DrawerSection title="分批进度">
        {detail && <Stages detail={detail} />}
        {detail && <p className="rollout-next">{nextText(detail)}</p>}
      </DrawerSection>
      <DrawerSection title="任务">
        <Facts facts={factsOf(shown, detail)} />
      </DrawerSection>
      <DrawerSection title="设备">
        <RolloutTargets rollout={shown} />
      </DrawerSection>
      <DrawerSection title="处理记录">{detail && <Events events={detail.events} />}</DrawerSection>
    </>
  );
}

function Stages({ detail }: { detail: Detail }) {
  return (
    <ol className="rollout-stages">
      {detail.stages.map((stage, at) => (
        <li key={stage.percent} aria-current={at + 1 === detail.stage ? "step" : undefined}>
          <span className="rollout-stage-name">
            第 {at + 1} 批 <small>至 {stage.percent}%</small>
          </span>
          {stage.total > 0 ? (
            <ProgressBar parts={stage} />
          ) : (
            <span className="ui-cell-none">设备数不足，跳过</span>
          )}
          {stage.waitingOffline > 0 && (
            <small className="rollout-offline">{stage.waitingOffline} 台离线，上线后下发</small>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Text for the next automatic step. */
function nextText(detail: Detail): string {
  const { state, stage, stageCount, dwellMinutes, advancePercent, stageReachedAt } = detail;
  if (state === "SCHEDULED") return `将于 ${formatDateTime(detail.startsAt)} 开始。`;
  if (state === "PAUSED") return "已暂停：进行中的设备会完成，不再向新的设备下发。";
  if (state === "STOPPED") return "核实失败原因后可以继续、重试失败设备，或取消任务。";
  if (state === "CANCELLED") return detail.stateReason ?? "任务已取消。";
  if (state === "FINISHED") return `全部设备已有结果：${partsText(detail.counts)}。`;
  if (stage === stageCount) return "已是最后一批，全部设备有结果后任务完成。";
  if (stageReachedAt) {
    const until = Date.parse(stageReachedAt) + dwellMinutes * 60_000;
    return `本批已达标，观察到 ${formatDateTime(until)} 后自动进入第 ${stage + 1} 批。`;
  }
  return `本批在线设备成功达到 ${advancePercent}%、再观察 ${dwellMinutes} 分钟后，自动进入第 ${stage + 1} 批。`;
}

function factsOf(rollout: Rollout, detail: Detail | undefined): DescriptionItem[] {
  return [
    ["状态", <RolloutStatus key="v" rollout={rollout} />],
    ["类型", rolloutKindText[rollout.kind]],
    ["内容", contentText(rollout)],
    ["租户", rollout.tenantName],
    ["停止阈值", detail && `失败超过 ${detail.stopPercent}%`],
    ["单台超时", detail && `${detail.timeoutMinutes} 分钟`],
    ["开始时间", formatDateTime(rollout.startedAt ?? rollout.startsAt)],
    ["结束时间", rollout.endedAt && formatDateTime(rollout.endedAt)],
    ["创建人", rollout.actorName],
    ["创建时间", formatDateTime(rollout.createdAt)],
  ];
}

function Events({ events }: { events: readonly RolloutEvent[] }) {
  return (
    <ol className="ui-drawer-rows rollout-events">
      {events.map((event) => (
        <li key={`${event.at} ${event.kind} ${event.stage}`}>
          <span>
            <b>{eventText[event.kind]}</b>
            {event.kind === "ADVANCED" && `：第 ${event.stage} 批`}
            {event.text && <span className="rollout-event-text">{event.text}</span>}
          </span>
          <small>
            {event.actorName ?? "系统"} · <Age time={event.at} />
          </small>
        </li>
      ))}
    </ol>
  );
}
