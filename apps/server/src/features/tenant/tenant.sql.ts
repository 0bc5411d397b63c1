// Tenants in the database.
import type { TenantOption } from "@cabinet/contract/tenant/tenant.contract.ts";
import { type Db, sql } from "../../platform/db.ts";

export const PLATFORM_TENANT_ID = 1;

export function findTenantOptions(db: Db): Promise<TenantOption[]> {
  return db.many(sql`select id, name from tenant order by id`);
}

/** Null when there is none, or none that this transaction may see. */
export function findTenant(db: Db, id: number): Promise<TenantOption | null> {
  return db.maybe(sql`select id, name from tenant where id = ${id}`);
}

/** Makes the tenant unless it exists; holds its row until the transaction ends. */
export async function ensureTenant(db: Db, tenant: TenantOption): Promise<void> {
  await db.run(sql`
    insert into tenant (id, name) overriding system value values (${tenant.id}, ${tenant.name})
    on conflict (id) do nothing`);
  await db.run(sql`select 1 from tenant where id = ${tenant.id} for update`);
  await db.run(sql`
    select setval(pg_get_serial_sequence('tenant', 'id'), (select max(id) from tenant))`);
}
