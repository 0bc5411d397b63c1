// How a malfunction stands: its state, how bad it is, and by when what comes next is due.
import type { Malfunction } from "@cabinet/contract/malfunction/malfunction.contract.ts";
import {
  dueAt,
  type MalfunctionState,
  malfunctionStateText,
  type Severity,
  severityText,
} from "@cabinet/contract/malfunction/malfunction.rules.ts";
import { formatDateTime } from "../../kit/format.ts";
import { minutesDwellText } from "../../ui/open-door.rules.ts";
import { Status } from "../../ui/status.tsx";
import type { Tone } from "../../ui/tone.rules.ts";
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

/** `剩 3小时5分`, `超时 12分钟`; empty where nothing is due. */
export function dueText(malfunction: Malfunction, now: number): string {
  const due = dueAt(malfunction);
  if (due === null) return "";
  const minutes = Math.floor((Date.parse(due) - now) / MINUTE_MS);
  return minutes >= 0 ? `剩 ${minutesDwellText(minutes)}` : `超时 ${minutesDwellText(-minutes)}`;
}

export function Due({ of }: { of: Malfunction }) {
  const due = dueAt(of);
  if (due === null) return <span className="ui-cell-none">—</span>;
  const what = of.acceptedAt === null ? "受理" : "处理";
  return (
    <span
      className="malfunction-due"
      data-over={of.isOverdue}
      title={`${what}时限：${formatDateTime(due)}`}
    >
      {what}
      {dueText(of, Date.now())}
    </span>
  );
}

/** `北门一号柜 3 号格口`; of an outage the store. */
export function placeText(malfunction: Malfunction): string {
  const { cabinetName, storeName, compartmentNo } = malfunction;
  const place = cabinetName ?? `${storeName ?? ""}（整个门店）`;
  return compartmentNo === null ? place : `${place} ${compartmentNo} 号格口`;
}
