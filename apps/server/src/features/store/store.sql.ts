// Stores in the database, and which of them an account may see.
import type { StoreOption } from "@cabinet/contract/store/store.contract.ts";
import { type Session, tenantPredicate } from "../../platform/context.ts";
import { type Db, type Sql, sql } from "../../platform/db.ts";

/** Rows of the session's tenant; for maintenance staff only those of the stores they look after. */
export function storePredicate(
  session: Session,
  tenantColumn: Sql,
  storeColumn: Sql,
  requestedTenantId?: number,
): Sql {
  const isOfTenant = tenantPredicate(session, tenantColumn, requestedTenantId);
  if (session.userType !== 2) return isOfTenant;
  return sql`${isOfTenant} and exists (
    select from operator_store os
    where os.tenant_id = ${tenantColumn} and os.operator_id = ${session.operatorId}
      and os.store_id = ${storeColumn})`;
}

export function findStoreOptions(
  db: Db,
  session: Session,
  requestedTenantId?: number,
): Promise<StoreOption[]> {
  return db.many(sql`
    select s.id, s.tenant_id as "tenantId", s.name from store s
    where ${storePredicate(session, sql`s.tenant_id`, sql`s.id`, requestedTenantId)}
    order by s.tenant_id, s.name, s.id`);
}

/** Null when there is none, or none that this account may see. */
export function findStore(db: Db, session: Session, id: number): Promise<StoreOption | null> {
  return db.maybe(sql`
    select s.id, s.tenant_id as "tenantId", s.name from store s
    where s.id = ${id} and ${storePredicate(session, sql`s.tenant_id`, sql`s.id`)}`);
}
