// Columns of the roll-out list, and its progress bar.
import { configName } from "@cabinet/contract/fleet/cabinet/config-sync.rules.ts";
import type { Rollout } from "@cabinet/contract/fleet/rollout/rollout.contract.ts";
import { rolloutStateText } from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import { configValue } from "../../../domain/cabinet/cabinet-config-fields.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { timeColumn, timeWidth } from "../../../ui/list/time-column.ts";
import { type Parts, partsText, rolloutTone, stageText } from "./rollout-display.rules.ts";
import "./rollout-columns.css";

/** `固件 2.0.1`, `音量 35 %、开灯时间 18:00` */
export function contentText({ firmwareVersion, config }: Rollout): string {
  if (firmwareVersion) return `固件 ${firmwareVersion}`;
  const set = Object.entries(config ?? {});
  return set.map(([name, value]) => `${configName(name)} ${configValue(name, value)}`).join("、");
}

export function RolloutStatus({ rollout: { state, stateReason } }: { rollout: Rollout }) {
  return (
    <Status tone={rolloutTone[state]} title={stateReason ?? rolloutStateText[state]}>
      {rolloutStateText[state]}
    </Status>
  );
}

export function ProgressBar({ parts }: { parts: Parts }) {
  const shown = [
    ["succeeded", parts.succeeded],
    ["failed", parts.failed],
    ["inFlight", parts.inFlight],
    ["waiting", parts.waiting + parts.cancelled],
  ] as const;
  return (
    <span className="rollout-progress" title={partsText(parts)}>
      <span className="rollout-bar" role="img" aria-label={partsText(parts)}>
        {shown.map(([part, count]) => (
          <i key={part} data-part={part} style={{ flexGrow: count }} />
        ))}
      </span>
      <span className="rollout-count">
        {parts.succeeded} / {parts.total}
        {parts.failed > 0 && <b>失败 {parts.failed}</b>}
      </span>
    </span>
  );
}

const nameColumn: Column<Rollout> = { key: "name", title: "任务名称", width: 160 };

export const rolloutColumns: Column<Rollout>[] = [
  nameColumn,
  tenantColumn(128),
  {
    key: "state",
    title: "状态",
    width: 108,
    value: (rollout) => rolloutStateText[rollout.state],
    render: (rollout) => <RolloutStatus rollout={rollout} />,
    exports: [
      { header: "状态", width: 12, value: (rollout) => rolloutStateText[rollout.state] },
      { header: "状态说明", width: 40, value: (rollout) => rollout.stateReason },
    ],
  },
  {
    key: "progress",
    title: "进度（成功 / 全部）",
    width: 188,
    value: (rollout) => partsText(rollout.counts),
    render: (rollout) => <ProgressBar parts={rollout.counts} />,
    exports: [
      { header: "设备数", width: 10, value: ({ counts }) => counts.total },
      { header: "成功", width: 10, value: ({ counts }) => counts.succeeded },
      { header: "失败", width: 10, value: ({ counts }) => counts.failed },
      { header: "进行中", width: 10, value: ({ counts }) => counts.inFlight },
      { header: "等待", width: 10, value: ({ counts }) => counts.waiting },
    ],
  },
  { key: "stage", title: "批次", width: 92, value: stageText },
  { key: "content", title: "内容", width: 132, exportWidth: 40, value: contentText },
  {
    key: "startsAt",
    title: "开始时间",
    ...timeWidth,
    value: (rollout) => formatDateTime(rollout.startedAt ?? rollout.startsAt),
  },
  timeColumn("endedAt", "结束时间", { isSecondary: true }),
  { key: "actor", title: "创建人", width: 200, value: (rollout) => rollout.actorName },
];
