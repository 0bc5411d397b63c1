// SQL that locks a cabinet for its deletion and finds what has happened to it.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface CabinetTraces {
  isInactive: boolean;
  hasGoods: boolean;
  hasHistory: boolean;
}

/**
 * Goods and history since the cabinet was created; locks its row. Null when there is no such
 * cabinet.
 */
export function lockCabinetTraces(
  db: Db,
  tenantId: number,
  id: number,
): Promise<CabinetTraces | null> {
  return db.maybe(sql`
    select cabinet.lifecycle = 'INACTIVE' as is_inactive,
      exists (select from compartment comp where comp.tenant_id = cabinet.tenant_id
        and comp.cabinet_id = cabinet.id
        and (comp.occupancy <> 'FREE' or comp.item = 'PRESENT')) as has_goods,
      cabinet.last_seen_at is not null
        or exists (select from command where command.tenant_id = cabinet.tenant_id
          and command.cabinet_id = cabinet.id)
        or exists (select from cabinet_event
          where cabinet_event.tenant_id = cabinet.tenant_id
            and cabinet_event.cabinet_id = cabinet.id)
        or exists (select from malfunction
          where malfunction.tenant_id = cabinet.tenant_id and malfunction.cabinet_id = cabinet.id)
        or exists (select from stock_audit
          where stock_audit.tenant_id = cabinet.tenant_id
            and stock_audit.cabinet_id = cabinet.id) as has_history
    from cabinet where cabinet.tenant_id = ${tenantId} and cabinet.id = ${id} for update`);
}
