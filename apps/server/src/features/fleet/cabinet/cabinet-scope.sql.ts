// SQL predicates for the cabinets an account may see, and for keyword search by number or name.

import type { Session } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { storePredicate } from "../../organization/store/index.ts";

/**
 * The explicit predicate beside row-level security, for the table `cabinet` under this alias: the
 * session's tenant; for maintenance staff the stores they look after; for platform staff
 * everything.
 */
export function cabinetPredicate(session: Session, alias: Sql, requestedTenantId?: number): Sql {
  return storePredicate(
    session,
    sql`${alias}.tenant_id`,
    sql`${alias}.store_id`,
    requestedTenantId,
  );
}

/** Number or name contains the keyword; wildcards in it are matched literally. */
export function cabinetKeywordSql(alias: Sql, keyword: string): Sql {
  const pattern = contains(keyword);
  return sql`(${alias}.sn ilike ${pattern} or ${alias}.name ilike ${pattern})`;
}
