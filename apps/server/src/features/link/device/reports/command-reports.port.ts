// Port from the link to the command feature, which implements it.
import type { AckStage, Side } from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

/** One command's stage, from an ack or from a birth's journal. */
export interface Acknowledgement {
  cmdId: string;
  /** Absent only in the ack of a command that the cabinet could not read. */
  seq?: number | undefined;
  stage: AckStage;
  reason?: string | undefined;
  /** Position of the report that carried it; the entry proves nothing about later events. */
  order: { bootNo: number; n: number };
}

/** A door opening that the sensor saw. */
export interface DoorOpening {
  /** The command that the cabinet names as its cause; cabinets need not name it. */
  cmdId?: string | undefined;
  no: number;
  side?: Side | undefined;
  order: { bootNo: number; n: number };
  /** The cabinet's own boot number, and milliseconds since that start. */
  reported: { bootNo: number; mono: number };
}

/** A new session: commands of earlier epochs are no longer executed. */
export interface NewSession {
  epoch: number;
  /** The highest seq that the cabinet remembers having accepted. */
  lastSeq: number;
  /** The cabinet once accepted higher seqs and has lost that memory. */
  isMemoryLost: boolean;
  /** Its `lastSeq` says nothing about commands of epochs before this one. */
  lineEpoch: number;
}

/** All methods run in the transaction of the report. */
export interface CommandReports {
  /** Another cabinet may have got the commands of epochs before `lineEpoch`: that it did not open proves nothing. */
  acknowledge(
    db: Db,
    cabinet: CabinetKey,
    entries: readonly Acknowledgement[],
    lineEpoch: number,
  ): Promise<void>;
  /** The command that opened the door; null: none did. */
  doorOpened(db: Db, cabinet: CabinetKey, opening: DoorOpening): Promise<string | null>;
  settleEarlier(db: Db, cabinet: CabinetKey, session: NewSession): Promise<void>;
}
