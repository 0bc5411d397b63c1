// SQL for tenants.
import type { TenantOption } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export function findTenantOptions(db: Db, session: Session): Promise<TenantOption[]> {
  return db.many(sql`
    select id, name from tenant
    where ${tenantPredicate(session, sql`id`)} and state <> 'DELETED' order by id`);
}

/** Null when missing, deleted or not visible to this transaction. */
export function findTenant(db: Db, id: number): Promise<TenantOption | null> {
  return db.maybe(sql`select id, name from tenant where id = ${id} and state <> 'DELETED'`);
}

/** Like `findTenant`, locked until the transaction ends: changes that count against its limits are serialized. */
export function lockTenant(
  db: Db,
  id: number,
): Promise<(TenantOption & { maxCabinets: number | null }) | null> {
  return db.maybe(sql`
    select id, name, max_cabinets from tenant
    where id = ${id} and state <> 'DELETED' for no key update`);
}
