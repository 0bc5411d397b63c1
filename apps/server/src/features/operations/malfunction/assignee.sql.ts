// Candidates for a malfunction: accounts with the permission that also see the store where it
// happened.
import type { Assignee } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import { isOpenSql } from "./malfunction-progress.sql.ts";

function canWork(tenantId: number, ids: readonly number[]): Sql {
  return sql`o.tenant_id = ${tenantId} and o.disabled_at is null
    and 'malfunction:write' = any(o.permissions)
    and (not o.is_store_bound or not exists (
      select from malfunction m
      left join cabinet c on c.tenant_id = m.tenant_id and c.id = m.cabinet_id
      where m.tenant_id = o.tenant_id and m.id = any(${[...ids]}::bigint[]) and not exists (
        select from visible_store v
        where v.tenant_id = o.tenant_id and v.operator_id = o.id
          and v.store_id = coalesce(m.store_id, c.store_id))))`;
}

/** Sorted by workload, least busy first. */
export function findAssignees(
  db: Db,
  tenantId: number,
  ids: readonly number[],
): Promise<Assignee[]> {
  return db.many(sql`
    select o.id, o.display_name as name, o.user_type as "userType", (
      select count(*)::int from malfunction m
      where m.tenant_id = o.tenant_id and m.assignee_id = o.id and ${isOpenSql}) as "openCount"
    from operator o
    where ${canWork(tenantId, ids)}
    order by "openCount", o.display_name, o.id`);
}

export function findAssignee(
  db: Db,
  request: { tenantId: number; operatorId: number; ids: readonly number[] },
): Promise<{ id: number; name: string } | null> {
  return db.maybe(sql`
    select o.id, o.display_name as name from operator o
    where o.id = ${request.operatorId} and ${canWork(request.tenantId, request.ids)}`);
}
