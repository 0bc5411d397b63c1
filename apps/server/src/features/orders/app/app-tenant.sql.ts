// SQL for the tenant of an app.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface TenantRow {
  id: number;
  name: string;
  /** Whether new orders and registrations are allowed. */
  isOpen: boolean;
}

/** Null for a deleted tenant. */
export function findTenant(db: Db, tenantId: number): Promise<TenantRow | null> {
  return db.maybe(sql`
    select tenant.id, tenant.name, tenant_is_open(tenant) as is_open
    from tenant where tenant.id = ${tenantId} and tenant.state <> 'DELETED'`);
}
