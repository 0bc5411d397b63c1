// SQL for new cabinets: created for a tenant, deleted again while nothing has happened to them.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { codeOf, FOREIGN_KEY_VIOLATION } from "../../../platform/db/sql-state.ts";

/** Inserts the cabinet only, INACTIVE; its compartments are created from its model. */
export function createCabinet(
  db: Db,
  cabinet: { tenantId: number; sn: string; name: string; modelId: number },
): Promise<{ id: number }> {
  return db.one(sql`
    insert into cabinet (tenant_id, sn, name, model_id)
    values (${cabinet.tenantId}, ${cabinet.sn}, ${cabinet.name}, ${cabinet.modelId})
    returning id`);
}

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
    select cabinet.lifecycle = 'INACTIVE' as "isInactive",
      exists (select from compartment comp where comp.tenant_id = cabinet.tenant_id
        and comp.cabinet_id = cabinet.id
        and (comp.occupancy <> 'FREE' or comp.item = 'PRESENT')) as "hasGoods",
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
            and stock_audit.cabinet_id = cabinet.id) as "hasHistory"
    from cabinet where cabinet.tenant_id = ${tenantId} and cabinet.id = ${id} for update`);
}

/** False when other rows that must be kept refer to it. */
export async function deleteCabinet(db: Db, tenantId: number, id: number): Promise<boolean> {
  try {
    await db.run(sql`delete from cabinet where tenant_id = ${tenantId} and id = ${id}`);
    return true;
  } catch (error) {
    if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    return false;
  }
}
