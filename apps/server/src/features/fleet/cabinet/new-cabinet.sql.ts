// SQL for new cabinets: created for a tenant, deleted again while nothing has happened to them.
import { type Db, sql } from "../../../platform/db/db.ts";

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
    select c.lifecycle = 'INACTIVE' as "isInactive",
      exists (select from compartment k where k.tenant_id = c.tenant_id and k.cabinet_id = c.id
        and (k.occupancy <> 'FREE' or k.item = 'PRESENT')) as "hasGoods",
      c.last_seen_at is not null
        or exists (select from command d where d.tenant_id = c.tenant_id and d.cabinet_id = c.id)
        or exists (select from cabinet_event e
          where e.tenant_id = c.tenant_id and e.cabinet_id = c.id)
        or exists (select from malfunction f
          where f.tenant_id = c.tenant_id and f.cabinet_id = c.id)
        or exists (select from stock_audit a
          where a.tenant_id = c.tenant_id and a.cabinet_id = c.id) as "hasHistory"
    from cabinet c where c.tenant_id = ${tenantId} and c.id = ${id} for update`);
}

/** False when other rows that must be kept refer to it (foreign key violation 23503). */
export async function deleteCabinet(db: Db, tenantId: number, id: number): Promise<boolean> {
  try {
    await db.run(sql`delete from cabinet where tenant_id = ${tenantId} and id = ${id}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== "23503") throw error;
    return false;
  }
}
