// Context in which the reports of one batch are applied: the locked cabinets, the changes, the other features.
import type { OpenedUp } from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import type { CabinetLog } from "../gate/cabinet-log.service.ts";
import type { CabinetIdentity } from "../gate/keyring.cache.ts";
import type { CommandReports } from "./command-reports.port.ts";
import type { ConditionReports } from "./condition-reports.port.ts";
import type { OrderReports } from "./order-reports.port.ts";
import type { PlaylistReports } from "./playlist-reports.port.ts";
import type { LockedCabinet } from "./report.sql.ts";
import type { ReportChanges } from "./report-changes.flow.ts";
import type { BornCabinet, RolloutReports } from "./rollout-reports.port.ts";

export type Report = Extract<OpenedUp, { ok: true }>;
/** A report that counts within its start of the cabinet. */
export type Counted = Exclude<Report, { kind: "will" }>;

/** The broker's own report: the connection opened with this nonce has ended. */
export interface EndOfConnection {
  ok: true;
  kind: "end";
  message: { nonce: string };
}

/** One report of one cabinet, its signature checked. */
export interface ReportOf {
  identity: Pick<CabinetIdentity, "tenantId" | "cabinetId" | "sn" | "keys">;
  /** The key that signed the report; null for a report of the broker itself. */
  kid: string | null;
  report: Report | EndOfConnection;
}

export interface ReportTools {
  gatewayId: string;
  commands: CommandReports;
  playlists: PlaylistReports;
  rollouts: RolloutReports;
  orders: OrderReports;
  conditions: ConditionReports;
  /** Rate limited, and written outside of the report's transaction. */
  cabinetLog: Pick<CabinetLog, "add">;
}

export interface ReportContext extends ReportTools {
  db: Db;
  locked: LockedCabinet;
  changes: ReportChanges;
  /** Passed to the roll-outs once everything is stored. */
  births: Map<number, BornCabinet>;
  configured: Set<number>;
  /** Cabinets with a report that orders may be waiting for. */
  followed: Set<number>;
}
