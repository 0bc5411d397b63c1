// Port from the link to the order feature, which implements it.
import type { Db } from "../../../../platform/db/db.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

export interface OrderReports {
  /**
   * Reports of these cabinets on doors, goods or commands are stored; locks the rows of all of
   * them, or of none.
   */
  reported(db: Db, tenantId: number, cabinetIds: readonly number[]): Promise<void>;
  /** The cabinets could not be reached for these seconds, and were heard again; their rows are locked. */
  returned(
    db: Db,
    tenantId: number,
    cabinets: readonly { cabinetId: number; seconds: number }[],
  ): Promise<void>;
  /** A door of this compartment opened without a command; the cabinet's row is locked. */
  forced(db: Db, compartment: CabinetKey & { no: number }): Promise<void>;
}
