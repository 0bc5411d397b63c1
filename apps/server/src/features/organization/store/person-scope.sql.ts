// People whom a store-bound account may see, with their wallets: those who used one of its stores.
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

/**
 * Restricts people to the session's tenant; for store-bound accounts to riders and recipients of orders at their visible
 * stores, unless the tenant shares its people among its stores (decision 0073).
 */
export function personPredicate(
  session: Session,
  tenantColumn: Sql,
  personColumn: Sql,
  requestedTenantId?: number,
): Sql {
  const isOfTenant = tenantPredicate(session, tenantColumn, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  const hasOrderAs = (role: Sql) => sql`exists (
    select from storage_order ord
    join visible_store on visible_store.tenant_id = ord.tenant_id
      and visible_store.store_id = ord.store_id
      and visible_store.operator_id = ${session.operatorId}
    where ord.tenant_id = ${tenantColumn} and ${role} = ${personColumn})`;
  return sql`${isOfTenant} and (
    exists (
      select from tenant_setting setting
      where setting.tenant_id = ${tenantColumn} and setting.shares_people)
    or ${hasOrderAs(sql`ord.recipient_id`)} or ${hasOrderAs(sql`ord.rider_id`)})`;
}
