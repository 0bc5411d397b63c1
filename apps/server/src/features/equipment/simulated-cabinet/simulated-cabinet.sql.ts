// SQL for simulated cabinets: the number of a cabinet that the account may see.
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";

export interface NumberedCabinet {
  tenantId: number;
  sn: string;
}

export function findCabinetNumber(
  db: Db,
  session: Session,
  cabinetId: number,
): Promise<NumberedCabinet | null> {
  return db.maybe(sql`
    select cabinet.tenant_id, cabinet.sn from cabinet
    where cabinet.id = ${cabinetId} and ${cabinetPredicate(session, sql`cabinet`)}`);
}
