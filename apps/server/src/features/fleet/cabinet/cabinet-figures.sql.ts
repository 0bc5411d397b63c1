// Counts the cabinets in service by tenant and connectivity.
import type { CONNECTIVITIES } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import { connectivitySql } from "../../link/device/index.ts";

export interface CabinetFigure {
  tenant: string;
  state: (typeof CONNECTIVITIES)[number];
  count: number;
}

/** Tenants up to the number `most` have figures of their own, the others share those of `other`. */
export function findCabinetFigures(
  db: Db,
  { most, other }: { most: number; other: string },
): Promise<CabinetFigure[]> {
  return db.many(sql`
    select case when cabinet.tenant_id <= ${most} then cabinet.tenant_id::text else ${other} end as tenant,
      ${connectivitySql(sql`cabinet`)} as state, count(*)::int as count
    from cabinet where cabinet.lifecycle = 'ACTIVE' group by 1, 2`);
}

const OUTAGE = { least: 5, share: 0.8, most: 100 };

/** Tenants whose fleet is away, whatever their number: those with the most cabinets offline. A cabinet that never came does not count. */
export function findOutages(db: Db): Promise<{ tenant: string; share: number }[]> {
  return db.many(sql`
    with figure as (
      select cabinet.tenant_id, count(*) as known,
        count(*) filter (where ${connectivitySql(sql`cabinet`)} = 'ONLINE') as online
      from cabinet
      where cabinet.lifecycle = 'ACTIVE' and ${connectivitySql(sql`cabinet`)} <> 'NEVER'
      group by cabinet.tenant_id
    )
    select figure.tenant_id::text as tenant, figure.online::float8 / figure.known as share
    from figure
    where figure.known >= ${OUTAGE.least} and figure.online < ${OUTAGE.share}::float8 * figure.known
    order by figure.known - figure.online desc, figure.tenant_id limit ${OUTAGE.most}`);
}
