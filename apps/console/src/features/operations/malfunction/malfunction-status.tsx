// Display of a malfunction's state, severity and next deadline.
import type { Malfunction } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  dueAt,
  dueStageOf,
  type MalfunctionState,
  malfunctionStateText,
  malfunctionTitle,
  type Severity,
  severityText,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { minutesDwellText } from "../../../domain/cabinet/open-door.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Status, useNow } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import "./malfunction.css";

const stateTone: Record<MalfunctionState, Tone> = {
  CREATED: "bad",
  ASSIGNED: "doubtful",
  PROCESSING: "waiting",
  RESOLVED: "good",
  CLOSED: "quiet",
  IGNORED: "quiet",
};

export function StateStatus({ of }: { of: MalfunctionState }) {
  return <Status tone={stateTone[of]}>{malfunctionStateText[of]}</Status>;
}

export function SeverityMark({ of }: { of: Severity }) {
  return (
    <span className="malfunction-severity" data-severity={of}>
      {severityText[of]}
    </span>
  );
}

const MINUTE_MS = 60_000;

const minutesText = (ms: number) => minutesDwellText(Math.floor(ms / MINUTE_MS));

/** `1 天 6 小时` since then. */
export const lastedText = (since: string, now: number) =>
  minutesText(Math.max(0, now - Date.parse(since)));

/** Length so far, or until it was resolved or closed. */
export const durationText = (
  { createdAt, resolvedAt, closedAt }: Pick<Malfunction, "createdAt" | "resolvedAt" | "closedAt">,
  now: number,
) => lastedText(createdAt, Date.parse(resolvedAt ?? closedAt ?? new Date(now).toISOString()));

export function Lasted({ of }: { of: Malfunction }) {
  return <>{durationText(of, useNow())}</>;
}

function dueParts(malfunction: Malfunction, due: string, now: number): [string, string] {
  const what = malfunction.acceptedAt === null ? "受理" : "处理";
  const leftMs = Date.parse(due) - now;
  const time = minutesText(Math.abs(leftMs));
  if (leftMs < 0) return [`${what}超时`, time];
  return malfunction.acceptedAt === null ? [`${time}内`, "受理"] : ["剩", time];
}

/** `3 小时 5 分内 受理`, `剩 2 小时`, `处理超时 12 分钟`; empty where nothing is due. */
export function dueText(malfunction: Malfunction, now: number): string {
  const due = dueAt(malfunction);
  return due === null ? "" : dueParts(malfunction, due, now).join(" ");
}

export function Due({ of }: { of: Malfunction }) {
  const now = useNow();
  const due = dueAt(of);
  if (due === null) return <span className="ui-cell-none">—</span>;
  const [first, second] = dueParts(of, due, now);
  return (
    <span
      className="malfunction-due ui-cell-lines"
      data-stage={dueStageOf(due, now)}
      title={`${of.acceptedAt === null ? "受理" : "处理"}时限：${formatDateTime(due)}`}
    >
      <span>{first}</span> <span>{second}</span>
    </span>
  );
}

/** Completion time, with the delay past the deadline. */
export function doneText(at: string, dueBy: string | null): string {
  const lateMs = dueBy === null ? 0 : Date.parse(at) - Date.parse(dueBy);
  return lateMs > 0 ? `${formatDateTime(at)}（超时 ${minutesText(lateMs)}）` : formatDateTime(at);
}

/** Assigned to the caller. */
export function isOwn({ assigneeId, isOthers }: Malfunction): boolean {
  return assigneeId !== null && !isOthers;
}

export function nameOf(malfunction: Malfunction): string {
  return `#${malfunction.id} ${malfunctionTitle(malfunction)}`;
}

/** Marks the outage of a whole store. */
export function MalfunctionName({ of }: { of: Malfunction }) {
  return of.cabinetId === null ? (
    <span className="malfunction-outage-name">{nameOf(of)}</span>
  ) : (
    nameOf(of)
  );
}

/** Cabinet and compartment; an outage names the store. */
export function placeParts(malfunction: Malfunction): [string, string | undefined] {
  const { cabinetName, storeName, compartmentNo } = malfunction;
  const place = cabinetName ?? `${storeName ?? ""}（整个门店）`;
  return [place, compartmentNo === null ? undefined : `${compartmentNo} 号格口`];
}

/** `北门一号柜 3 号格口`. */
export const placeText = (malfunction: Malfunction) =>
  placeParts(malfunction).filter(Boolean).join(" ");
