// Splits snapshots larger than a frame into parts, and orders reports by (bootNo, n).
import type { CompartmentReport, JournalEntry } from "./fields.ts";
import { MAX_FRAME_BYTES } from "./limits.ts";
import type { Birth, EventReport, StateReport } from "./up-messages.ts";

/** Bytes left after signature, head and separators. */
const PART_BYTES = MAX_FRAME_BYTES - 44 - 1_500;

/** Content of one part. */
export interface SnapshotPart {
  readonly part: number;
  readonly parts: number;
  readonly journal: JournalEntry[];
  readonly compartments: CompartmentReport[];
}

/** Splits a snapshot into the fewest parts that fit into frames; at least one part. */
export function splitSnapshot(
  journal: readonly JournalEntry[],
  compartments: readonly CompartmentReport[],
): SnapshotPart[] {
  const loads: { journal: JournalEntry[]; compartments: CompartmentReport[] }[] = [];
  let room = 0;
  function loadFor(row: object) {
    const bytes = Buffer.byteLength(JSON.stringify(row)) + 1;
    let load = loads.at(-1);
    if (!load || bytes > room) {
      load = { journal: [], compartments: [] };
      loads.push(load);
      room = PART_BYTES;
    }
    room -= bytes;
    return load;
  }
  for (const entry of journal) loadFor(entry).journal.push(entry);
  for (const row of compartments) loadFor(row).compartments.push(row);
  if (loads.length === 0) loads.push({ journal: [], compartments: [] });
  return loads.map((load, index) => ({ ...load, part: index + 1, parts: loads.length }));
}

/** Position of a report in its cabinet's history. */
export interface ReportOrder {
  readonly bootNo: number;
  readonly n: number;
}

/** Greater than 0 if `a` is newer than `b`. Only state newer than the stored one is applied. */
export function compareReports(a: ReportOrder, b: ReportOrder): number {
  return a.bootNo - b.bootNo || a.n - b.n;
}

/** Compartment states contained in a report of any kind. */
export function compartmentsOf(
  message: Birth | StateReport | EventReport,
): readonly CompartmentReport[] {
  if ("compartments" in message) return message.compartments;
  return message.compartment ? [message.compartment] : [];
}
