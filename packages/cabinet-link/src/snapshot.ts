// Snapshots larger than a frame are sent in parts; reports are ordered by (bootNo, n).
import type { CompartmentReport, JournalEntry } from "./fields.ts";
import { MAX_FRAME_BYTES } from "./limits.ts";
import type { Birth, EventReport, StateReport } from "./up-messages.ts";

/** Room left for signature, head and separators. */
const PART_BYTES = MAX_FRAME_BYTES - 44 - 1_500;

/** What one part carries. */
export interface SnapshotPart {
  readonly part: number;
  readonly parts: number;
  readonly journal: JournalEntry[];
  readonly compartments: CompartmentReport[];
}

/** Distributes a snapshot over as few parts as fit into frames; at least one part. */
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

/** Where a report stands in its cabinet's history. */
export interface ReportOrder {
  readonly bootNo: number;
  readonly n: number;
}

/** Greater than 0 if `a` is newer than `b`. State is applied only if newer than what is stored. */
export function compareReports(a: ReportOrder, b: ReportOrder): number {
  return a.bootNo - b.bootNo || a.n - b.n;
}

/** The compartments a report tells the state of, whatever its kind: one way to apply them all. */
export function compartmentsOf(
  message: Birth | StateReport | EventReport,
): readonly CompartmentReport[] {
  if ("compartments" in message) return message.compartments;
  return message.compartment ? [message.compartment] : [];
}
