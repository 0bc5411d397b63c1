// SQL for a tenant's term: derived state and last day.
import { EXPIRING_DAYS } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

/** State as shown: `EXPIRED` and `EXPIRING` are derived from the clock. */
export function tenantStateSql(tenant: Sql): Sql {
  return sql`
    case when ${tenant}.state <> 'ACTIVE' then ${tenant}.state when not tenant_is_open(${tenant}) then 'EXPIRED'
      when ${tenant}.expires_at <= now() + make_interval(days => ${EXPIRING_DAYS}) then 'EXPIRING'
      else 'ACTIVE' end`;
}

/** Last day; the term ends with the midnight after it. */
export function tenantExpiresOnSql(tenant: Sql): Sql {
  return sql`((${tenant}.expires_at at time zone 'Asia/Shanghai') - interval '1 microsecond')::date`;
}
