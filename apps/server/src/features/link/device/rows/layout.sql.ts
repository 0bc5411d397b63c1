// SQL that creates and changes compartments by the layout of their cabinet's model.
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
import type { CabinetKey } from "../presence/presence.sql.ts";

/** The cells of the model under this alias, as rows `cell`. */
function layoutOf(model: Sql): Sql {
  return sql`jsonb_to_recordset(${model}.layout)
    as cell(no int, size text, "boardAddress" text, "column" int, row int, "rowSpan" int)`;
}

const newCompartment = sql`
  cabinet.tenant_id, cabinet.id, cell.no, cell.size, cell."boardAddress", cell."column", cell.row,
  cell."rowSpan",
  case when side = 'DOUBLE' then 'UNKNOWN' end`;

const columns = sql`
  (tenant_id, cabinet_id, no, size, board_address, layout_column, layout_row, row_span, door_back)`;

/**
 * Creates the compartments of the model that the cabinet lacks. The lock on its row, or the
 * reference of a row just inserted, keeps the model's layout from changing meanwhile.
 */
export async function createCompartments(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
): Promise<void> {
  await db.run(sql`
    select from cabinet where tenant_id = ${tenantId} and id = ${cabinetId} for no key update`);
  await db.run(sql`
    insert into compartment ${columns}
    select ${newCompartment}
    from cabinet join cabinet_model model on model.id = cabinet.model_id
    cross join ${layoutOf(sql`model`)}
    where cabinet.tenant_id = ${tenantId} and cabinet.id = ${cabinetId}
    on conflict (tenant_id, cabinet_id, no) do nothing`);
}

/** Applies the layout to every cabinet of the model; returns the cabinets that changed. */
export function applyLayout(db: Db, modelId: number): Promise<CabinetKey[]> {
  return db.many(sql`
    with cell as materialized (
      select cell.*, model.side from cabinet_model model
      cross join ${layoutOf(sql`model`)} where model.id = ${modelId}
    ), removed as (
      delete from compartment comp using cabinet
      where cabinet.model_id = ${modelId} and comp.tenant_id = cabinet.tenant_id
        and comp.cabinet_id = cabinet.id
        and comp.no not in (select no from cell)
      returning comp.tenant_id, comp.cabinet_id
    ), moved as (
      update compartment comp set size = cell.size, board_address = cell."boardAddress",
        layout_column = cell."column", layout_row = cell.row, row_span = cell."rowSpan"
      from cabinet cross join cell
      where cabinet.model_id = ${modelId} and comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
        and comp.no = cell.no
        and (comp.size, comp.board_address, comp.layout_column, comp.layout_row, comp.row_span)
          <> (cell.size, cell."boardAddress", cell."column", cell.row, cell."rowSpan")
      returning comp.tenant_id, comp.cabinet_id
    ), added as (
      insert into compartment ${columns}
      select ${newCompartment} from cabinet cross join cell
      where cabinet.model_id = ${modelId} and not exists (
        select from compartment comp
        where comp.tenant_id = cabinet.tenant_id and comp.cabinet_id = cabinet.id
          and comp.no = cell.no)
      returning tenant_id, cabinet_id
    )
    select distinct tenant_id, cabinet_id
    from (table removed union all table moved union all table added) changed`);
}
