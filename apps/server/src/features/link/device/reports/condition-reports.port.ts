// Port from the link to the malfunction feature, which implements it, for conditions that cabinets report.
import type { Db } from "../../../../platform/db/db.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

/** One event of a cabinet, stored for the first time. */
export interface ConditionReport extends CabinetKey {
  kind: string;
  compartmentNo: number | null;
  /** True when the condition begins or continues, false when it has ended. */
  isActive: boolean;
  value: number | null;
  /** Null if no report of the cabinet carries a number for it. */
  bootNo: number | null;
  n: number | null;
}

export interface ConditionReports {
  /** True for kinds of events that the implementation handles. */
  isWatched(kind: string): boolean;
  /** Runs in the transaction of the reports; each cabinet's reports are in order. */
  reported(db: Db, reports: readonly ConditionReport[]): Promise<void>;
}
