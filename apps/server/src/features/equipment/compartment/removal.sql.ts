// SQL that locks compartments for their removal and finds those that cannot be removed.
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Obstacle } from "./obstacle.rules.ts";

/**
 * Locks all compartments of a model's cabinets except `keptNos`, and returns those that cannot be
 * removed. The cabinets are locked already, so no new command can appear.
 */
export function lockForRemoval(db: Db, modelId: number, keptNos: number[]): Promise<Obstacle[]> {
  return db.many(sql`
    with doomed as materialized (
      select comp.tenant_id, comp.cabinet_id, comp.no, comp.occupancy, comp.item
      from cabinet
      join compartment comp on comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
      where cabinet.model_id = ${modelId} and comp.no <> all(${keptNos})
      order by comp.tenant_id, comp.cabinet_id, comp.no
      for update of comp
    ), judged as (
      select doomed.*, exists (
        select from command
        where command.tenant_id = doomed.tenant_id and command.cabinet_id = doomed.cabinet_id
          and command.compartment_no = doomed.no and command.kind = 'OPEN'
          and command.state in ('QUEUED', 'SENT', 'ACKED')) as is_opening
      from doomed
    )
    select cabinet.id as cabinet_id, cabinet.sn, cabinet.name, judged.no, judged.occupancy,
      judged.item, judged.is_opening
    from judged
    join cabinet on cabinet.tenant_id = judged.tenant_id and cabinet.id = judged.cabinet_id
    where judged.occupancy <> 'FREE' or judged.item = 'PRESENT' or judged.is_opening
    order by cabinet.tenant_id, cabinet.sn, judged.no`);
}
