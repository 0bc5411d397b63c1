// What the link tells whoever gives commands; the commands' feature fills it in.
import type { AckStage } from "@cabinet/link";
import type { Db } from "../../platform/db.ts";
import type { CabinetKey } from "./presence.sql.ts";

/** What a cabinet says of one command, in an ack or in a birth's journal. */
export interface Acknowledgement {
  cmdId: string;
  stage: AckStage;
  reason?: string | undefined;
  /** Which of the cabinet's reports said so; what is not newer tells nothing of the time after it. */
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

/** Both run in the transaction of the report. */
export interface CommandReports {
  acknowledge(db: Db, cabinet: CabinetKey, entries: readonly Acknowledgement[]): Promise<void>;
  settleEarlier(db: Db, cabinet: CabinetKey, session: NewSession): Promise<void>;
}
