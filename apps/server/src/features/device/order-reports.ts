// What the link tells whoever keeps orders; the orders' feature fills it in.
import type { Db } from "../../platform/db.ts";

export interface OrderReports {
  /** These cabinets have said something of doors, goods or commands, which is stored; they are locked, or none is. */
  reported(db: Db, tenantId: number, cabinetIds: readonly number[]): Promise<void>;
}
