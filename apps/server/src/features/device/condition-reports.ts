// What the link tells whoever makes malfunctions of conditions at cabinets; the malfunctions' feature fills it in.
import type { Db } from "../../platform/db.ts";
import type { CabinetKey } from "./presence.sql.ts";

/** One event of a cabinet, stored for the first time. */
export interface ConditionReport extends CabinetKey {
  kind: string;
  compartmentNo: number | null;
  /** It begins, or goes on; false: it is over. */
  isActive: boolean;
  value: number | null;
  bootNo: number;
  n: number;
}

export interface ConditionReports {
  /** Which kinds of events it wants to hear of. */
  isWatched(kind: string): boolean;
  /** Runs in the transaction of the reports, each cabinet's in their order. */
  reported(db: Db, reports: readonly ConditionReport[]): Promise<void>;
}
