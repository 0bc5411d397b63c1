// What the link tells whoever rolls out firmware and parameters; the roll-outs' feature fills it in.
import type { JobStatus } from "@cabinet/link";
import type { Db } from "../../platform/db.ts";
import type { CabinetKey } from "./presence.sql.ts";

/** A cabinet that is back, and the program it runs; `bootNo` counts on through a lost memory. */
export interface BornCabinet {
  cabinetId: number;
  appVersion: string;
  bootNo: number;
}

export interface JobReport {
  jobId: string;
  status: JobStatus;
  reason?: string | undefined;
  bootNo: number;
}

/** All run in the transaction of the reports. */
export interface RolloutReports {
  jobReported(db: Db, cabinet: CabinetKey, job: JobReport): Promise<void>;
  /** Their births are stored. */
  born(db: Db, tenantId: number, births: readonly BornCabinet[]): Promise<void>;
  /** They told their parameters, which are stored. */
  configsReported(db: Db, tenantId: number, cabinetIds: readonly number[]): Promise<void>;
}
