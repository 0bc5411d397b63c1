// Reports beside what is plausible: counters without a place in the cabinet's history, readings that were set aside.
import type { SetAside } from "@cabinet/link";
import { brokenCounter } from "./plausibility.rules.ts";
import type { Counted, ReportContext, ReportOf, ReportTools } from "./report-context.flow.ts";

/**
 * True for a report whose counters cannot follow the known ones: its place in the cabinet's history is unknown, so that
 * it decides nothing. The birth that is requested in its place begins a new count. Births have begun theirs.
 */
export function dropsBrokenCounter(
  { sn }: ReportOf["identity"],
  { kind, message }: Counted,
  { locked: { cabinet }, changes, cabinetLog }: ReportContext,
): boolean {
  const broken = brokenCounter(message, cabinet);
  if (!broken) return false;
  const detail = `/${broken} ${message[broken]}`;
  const payload = { topic: `up/${kind}`, why: "COUNTER", detail };
  cabinetLog.add(sn, { kind: "REPORT_DROPPED", cause: `${kind} COUNTER ${broken}`, payload });
  cabinet.isGreeted = false;
  changes.touch(cabinet, cabinet.connectionNonce !== null);
  return true;
}

/** Keeps which fields were invalid when last reported, and logs those that have become so. */
export function noteReadings(
  { sn }: ReportOf["identity"],
  { message, setAside }: Counted,
  { locked: { cabinet }, cabinetLog }: ReportContext,
): void {
  if (setAside.length === 0 && cabinet.invalidReadings.length === 0) return;
  const known = cabinet.invalidReadings;
  const invalid = new Set(setAside.map(({ field }) => field.split(".")[0] ?? field));
  const isReported = (field: string) => Object.hasOwn(message, field);
  const lasting = known.filter((field) => invalid.has(field) || !isReported(field));
  cabinet.invalidReadings = [...new Set([...lasting, ...invalid])];
  const added = setAside.filter(({ field }) => !known.includes(field.split(".")[0] ?? field));
  if (added.length === 0) return;
  const readings = added.map(({ field, value }) => ({ field, value: briefly(value) }));
  const cause = added.map(({ field }) => field).join(" ");
  cabinetLog.add(sn, { kind: "INVALID_READINGS", cause, payload: { readings } });
}

const MAX_SHOWN = 40;

/** A value that was set aside as text for the log. */
function briefly(value: SetAside["value"]): string {
  const text = JSON.stringify(value) ?? "";
  return text.replaceAll(/[\p{C}\\]/gu, "?").slice(0, MAX_SHOWN);
}

/** Logs a counter that went so far that the cabinet must have lost its memory. */
export function logJump(
  { sn }: ReportOf["identity"],
  field: "bootNo" | "n" | "lastSeq",
  value: number,
  cabinetLog: ReportTools["cabinetLog"],
): void {
  cabinetLog.add(sn, { kind: "COUNTER_JUMPED", cause: field, payload: { field, value } });
}
