// Port from the link to the roll-out feature (firmware and parameters), which implements it.
import type { JobStatus } from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

/** A cabinet that reconnected, and its program version; `bootNo` keeps rising through a lost memory. */
export interface BornCabinet {
  cabinetId: number;
  /** Null: its birth named none that could be read. */
  appVersion: string | null;
  bootNo: number;
}

export interface JobReport {
  jobId: string;
  status: JobStatus;
  reason?: string | undefined;
  bootNo: number;
}

/** All methods run in the transaction of the reports. */
export interface RolloutReports {
  jobReported(db: Db, cabinet: CabinetKey, job: JobReport): Promise<void>;
  /** Called once the births of these cabinets are stored. */
  born(db: Db, tenantId: number, births: readonly BornCabinet[]): Promise<void>;
  /** Called once the parameters that these cabinets reported are stored. */
  configsReported(db: Db, tenantId: number, cabinetIds: readonly number[]): Promise<void>;
}
