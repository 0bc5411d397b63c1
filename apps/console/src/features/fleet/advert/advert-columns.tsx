// Columns of the advert list, with texts for state and downloads.
import type { Advert } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import {
  advertPhaseText,
  advertPositionText,
  advertStateText,
  datesText,
  hoursText,
  targetKindText,
} from "@cabinet/contract/fleet/advert/advert.rules.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { AdvertThumb } from "./advert-media.tsx";
import "./advert-columns.css";

const sideText = { SINGLE: "单面柜", DOUBLE: "双面柜" } as const;

/** Formats as `全部设备` or `指定门店：蒋村花园店、长河地铁口店 等 5 个`. */
export function targetText({ targetKind, targets, targetSide }: Advert, shown = 2): string {
  if (targetKind === "SIDE" && targetSide) return sideText[targetSide];
  if (targetKind === "ALL" || targetKind === "SIDE") return targetKindText[targetKind];
  const names = targets.slice(0, shown).map(({ name }) => name);
  const rest = targets.length > shown ? ` 等 ${targets.length} 个` : "";
  return `${targetKindText[targetKind]}：${names.join("、") || "已不存在"}${rest}`;
}

function stateText({ state, phase }: Advert): string {
  return state === "ON" ? advertPhaseText[phase] : advertStateText[state];
}

const phaseTone: Record<Advert["phase"], Tone> = {
  UPCOMING: "waiting",
  RUNNING: "good",
  ENDED: "quiet",
};

const idleTone: Record<Exclude<Advert["state"], "ON">, Tone> = { DRAFT: "doubtful", OFF: "quiet" };

export function AdvertStatus({ advert }: { advert: Advert }) {
  const { state, phase } = advert;
  const tone = { ...idleTone, ON: phaseTone[phase] }[state];
  return (
    <Status tone={tone} title={advertStateText[state]}>
      {stateText(advert)}
    </Status>
  );
}

export function scheduleText(advert: Advert): string {
  const hours = hoursText(advert.fromTime, advert.untilTime);
  return `${datesText(advert)}，${hours}`;
}

/** Shows `就绪 12/15` and the number of failed and unreached cabinets. */
function DownloadSummary({ advert: { downloads, state, phase } }: { advert: Advert }) {
  const { total, ready, failed, unreached } = downloads;
  if (state !== "ON" || phase === "ENDED") return <CellText>{null}</CellText>;
  if (total === 0) return <span className="advert-downloads-none">没有匹配的设备</span>;
  const tone = failed > 0 ? "bad" : ready === total ? "good" : "waiting";
  const troubles = [failed > 0 && `失败 ${failed}`, unreached > 0 && `离线未收到 ${unreached}`];
  return (
    <span className="advert-downloads">
      <Status tone={tone}>
        就绪 {ready}/{total}
      </Status>
      {troubles.filter(Boolean).map((trouble) => (
        <small key={String(trouble)}>{trouble}</small>
      ))}
    </span>
  );
}

const nameColumn: Column<Advert> = {
  key: "title",
  title: "标题",
  width: 208,
  render: (advert) => (
    <span className="advert-name">
      <AdvertThumb file={advert.file} />
      <span>{advert.title}</span>
    </span>
  ),
};

export const advertColumns: Column<Advert>[] = [
  nameColumn,
  tenantColumn(120),
  {
    key: "state",
    title: "状态",
    width: 92,
    value: stateText,
    render: (advert) => <AdvertStatus advert={advert} />,
  },
  {
    key: "downloads",
    title: "下载",
    width: 184,
    value: ({ downloads }) => `${downloads.ready}/${downloads.total}`,
    render: (advert) => <DownloadSummary advert={advert} />,
    exports: [
      { header: "应投放设备", width: 12, value: ({ downloads }) => downloads.total },
      { header: "已就绪", width: 10, value: ({ downloads }) => downloads.ready },
      { header: "下载失败", width: 10, value: ({ downloads }) => downloads.failed },
      { header: "离线未收到", width: 12, value: ({ downloads }) => downloads.unreached },
    ],
  },
  {
    key: "position",
    title: "位置",
    width: 92,
    value: ({ position }) => advertPositionText[position],
  },
  { key: "durationSeconds", title: "时长（秒）", width: 96, align: "right" },
  {
    key: "dates",
    title: "投放日期",
    width: 212,
    keepsWidth: true,
    exportWidth: 26,
    value: datesText,
  },
  {
    key: "hours",
    title: "每日时段",
    width: 152,
    value: ({ fromTime, untilTime }) => hoursText(fromTime, untilTime),
  },
  {
    key: "targets",
    title: "投放范围",
    width: 208,
    exportWidth: 40,
    value: (advert) => targetText(advert),
  },
  timeColumn("updatedAt", "更新时间", { isSecondary: true }),
];
