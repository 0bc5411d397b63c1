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

/** The tenants with the most cabinets have figures of their own, the others share those of `other`. */
export function findCabinetFigures(
  db: Db,
  { most, other }: { most: number; other: string },
): Promise<CabinetFigure[]> {
  return db.many(sql`
    with figure as (
      select tenant_id, ${connectivitySql(sql`cabinet`)} as state, count(*) as count
      from cabinet where lifecycle = 'ACTIVE' group by 1, 2
    ), ranking as (
      select tenant_id, row_number() over (order by sum(count) desc, tenant_id) as rank
      from figure group by tenant_id
    )
    select case when rank <= ${most} then tenant_id::text else ${other} end as tenant, state,
      sum(count)::int as count
    from figure join ranking using (tenant_id) group by 1, 2`);
}
