// What the link passes on about commands; implemented by the command feature.
import type { AckStage, Side } from "@cabinet/link";
import type { Db } from "../../platform/db.ts";
import type { CabinetKey } from "./presence.sql.ts";

/** One command's stage, from an ack or from a birth's journal. */
export interface Acknowledgement {
  cmdId: string;
  /** Absent only in the ack of a command that the cabinet could not read. */
  seq?: number | undefined;
  stage: AckStage;
  reason?: string | undefined;
  /** The report it stands in; reports that are not newer say nothing about the time after it. */
  order: { bootNo: number; n: number };
}

/** A door that the sensor saw open because of a command. */
export interface DoorOpening {
  cmdId: string;
  no: number;
  side?: Side | undefined;
  order: { bootNo: number; n: number };
}

/** A session that begins: commands of earlier epochs are not carried out any more. */
export interface NewSession {
  epoch: number;
  /** The highest seq that the cabinet ever took. */
  lastSeq: number;
  /** It took higher ones once and knows nothing of them any more. */
  isMemoryLost: boolean;
}

/** All run in the transaction of the report. */
export interface CommandReports {
  acknowledge(db: Db, cabinet: CabinetKey, entries: readonly Acknowledgement[]): Promise<void>;
  doorOpened(db: Db, cabinet: CabinetKey, opening: DoorOpening): Promise<void>;
  settleEarlier(db: Db, cabinet: CabinetKey, session: NewSession): Promise<void>;
}
