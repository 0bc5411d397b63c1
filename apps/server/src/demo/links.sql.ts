// Picks the cabinet with which a visitor of the demo follows a parcel.
import type { Db } from "../platform/db/db.ts";
import { sql } from "../platform/db/sql.ts";
import { findDemo } from "./demo.sql.ts";

export interface DemoCabinet {
  cabinetId: number;
  sn: string;
  /** Operator of its tenant: accounts of other tenants do not see it. */
  username: string;
}

/** In service, simulated, single-sided, without malfunctions, of a tenant with a web page; most free compartments first. */
export async function findVisitorsCabinet(db: Db): Promise<DemoCabinet | null> {
  const ids = (await findDemo(db))?.simulated.map(({ cabinetId }) => cabinetId) ?? [];
  return db.maybe(sql`
    select cabinet.id as cabinet_id, cabinet.sn, (
      select operator.username from operator
      where operator.tenant_id = cabinet.tenant_id and operator.user_type = 1
      order by operator.id limit 1) as username
    from cabinet
    join web_page_setting web_page on web_page.tenant_id = cabinet.tenant_id and web_page.is_on
    join cabinet_model model on model.id = cabinet.model_id and model.side = 'SINGLE'
    where cabinet.id = any(${ids}::bigint[]) and cabinet.lifecycle = 'ACTIVE'
      and not exists (
        select from malfunction
        where malfunction.tenant_id = cabinet.tenant_id and malfunction.cabinet_id = cabinet.id
          and malfunction.state in ('CREATED', 'ASSIGNED', 'PROCESSING'))
    order by (
      select count(*) from compartment comp
      where comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
        and comp.occupancy = 'FREE' and comp.admin_state = 'ENABLED') desc, cabinet.id
    limit 1`);
}
