// A cabinet's compartments as its model lays them out.
import { type Db, sql } from "../../platform/db.ts";
import type { CabinetKey } from "../device/index.ts";

/**
 * Gives a cabinet the compartments of its model that it does not have yet. The lock on its row, or
 * the reference of a row just inserted, keeps the model's layout from changing meanwhile.
 */
export async function createCompartments(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
): Promise<void> {
  await db.run(sql`
    select from cabinet where tenant_id = ${tenantId} and id = ${cabinetId} for no key update`);
  await db.run(sql`
    insert into compartment (tenant_id, cabinet_id, no, size, board_address, layout_column,
      layout_row, row_span, door_back)
    select c.tenant_id, c.id, l.no, l.size, l."boardAddress", l."column", l.row, l."rowSpan",
      case when m.side = 'DOUBLE' then 'UNKNOWN' end
    from cabinet c
    join cabinet_model m on m.id = c.model_id
    cross join jsonb_to_recordset(m.layout)
      as l(no int, size text, "boardAddress" text, "column" int, row int, "rowSpan" int)
    where c.tenant_id = ${tenantId} and c.id = ${cabinetId}
    on conflict (tenant_id, cabinet_id, no) do nothing`);
}
