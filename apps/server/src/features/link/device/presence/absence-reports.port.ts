// Port from the presence sweep to the malfunction feature, which implements it.
import type { Db } from "../../../../platform/db/db.ts";
import type { CabinetKey } from "./presence.sql.ts";

export interface AbsenceReports {
  /**
   * Runs in the transaction of each sweep, in one process at a time; returns the cabinets whose
   * absence changed.
   */
  sweep(db: Db): Promise<CabinetKey[]>;
}
