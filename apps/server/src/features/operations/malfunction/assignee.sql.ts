// Candidates for a malfunction: accounts with the permission that also see the store where it
// happened.
import type { Assignee } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { isOpenSql } from "./malfunction-progress.sql.ts";

function canWork(tenantId: number, ids: readonly number[]): Sql {
  return sql`operator.tenant_id = ${tenantId} and operator.disabled_at is null
    and 'malfunction:write' = any(operator.permissions)
    and (not operator.is_store_bound or not exists (
      select from malfunction
      left join cabinet on cabinet.tenant_id = malfunction.tenant_id
        and cabinet.id = malfunction.cabinet_id
      where malfunction.tenant_id = operator.tenant_id
        and malfunction.id = any(${[...ids]}::bigint[]) and not exists (
        select from visible_store
        where visible_store.tenant_id = operator.tenant_id
          and visible_store.operator_id = operator.id
          and visible_store.store_id = coalesce(malfunction.store_id, cabinet.store_id))))`;
}

/** Like `signatureOf`: the malfunction keeps the name. */
const signatureSql = sql`case when operator.display_name = operator.username then operator.username
  else operator.display_name || '（' || operator.username || '）' end`;

/** Sorted by workload, least busy first. */
export function findAssignees(
  db: Db,
  tenantId: number,
  ids: readonly number[],
): Promise<Assignee[]> {
  return db.many(sql`
    select operator.id, ${signatureSql} as name, operator.user_type, (
      select count(*)::int from malfunction
      where malfunction.tenant_id = operator.tenant_id and malfunction.assignee_id = operator.id
        and ${isOpenSql}) as open_count
    from operator
    where ${canWork(tenantId, ids)}
    order by open_count, operator.display_name, operator.id`);
}

export function findAssignee(
  db: Db,
  request: { tenantId: number; operatorId: number; ids: readonly number[] },
): Promise<{ id: number; name: string } | null> {
  return db.maybe(sql`
    select operator.id, ${signatureSql} as name from operator
    where operator.id = ${request.operatorId} and ${canWork(request.tenantId, request.ids)}`);
}
