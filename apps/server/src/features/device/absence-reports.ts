// What presence tells whoever makes malfunctions of it; the malfunctions' feature fills it in.
import type { Db } from "../../platform/db.ts";
import type { CabinetKey } from "./presence.sql.ts";

export interface AbsenceReports {
  /** Runs in the transaction of each sweep, in one process at a time; returns who is concerned. */
  sweep(db: Db): Promise<CabinetKey[]>;
}
