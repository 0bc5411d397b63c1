// SQL that creates and changes compartments by the layout of their cabinet's model.
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import type { CabinetKey } from "../../link/device/index.ts";
import type { Obstacle } from "./obstacle.rules.ts";

/** The cells of the model under this alias, as rows `l`. */
function layoutOf(model: Sql): Sql {
  return sql`jsonb_to_recordset(${model}.layout)
    as l(no int, size text, "boardAddress" text, "column" int, row int, "rowSpan" int)`;
}

const newCompartment = sql`
  c.tenant_id, c.id, l.no, l.size, l."boardAddress", l."column", l.row, l."rowSpan",
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
    from cabinet c join cabinet_model m on m.id = c.model_id cross join ${layoutOf(sql`m`)}
    where c.tenant_id = ${tenantId} and c.id = ${cabinetId}
    on conflict (tenant_id, cabinet_id, no) do nothing`);
}

/**
 * Locks all compartments of a model's cabinets except `keptNos`, and returns those that cannot be
 * removed. The cabinets are locked already, so no new command can appear.
 */
export function lockForRemoval(db: Db, modelId: number, keptNos: number[]): Promise<Obstacle[]> {
  return db.many(sql`
    with doomed as materialized (
      select k.tenant_id, k.cabinet_id, k.no, k.occupancy, k.item
      from cabinet c
      join compartment k on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
      where c.model_id = ${modelId} and k.no <> all(${keptNos})
      order by k.tenant_id, k.cabinet_id, k.no
      for update of k
    ), judged as (
      select d.*, exists (
        select from command m
        where m.tenant_id = d.tenant_id and m.cabinet_id = d.cabinet_id
          and m.compartment_no = d.no and m.kind = 'OPEN'
          and m.state in ('QUEUED', 'SENT', 'ACKED')) as is_opening
      from doomed d
    )
    select c.id as "cabinetId", c.sn, c.name, j.no, j.occupancy, j.item,
      j.is_opening as "isOpening"
    from judged j
    join cabinet c on c.tenant_id = j.tenant_id and c.id = j.cabinet_id
    where j.occupancy <> 'FREE' or j.item = 'PRESENT' or j.is_opening
    order by c.tenant_id, c.sn, j.no`);
}

/** Applies the layout to every cabinet of the model; returns the cabinets that changed. */
export function applyLayout(db: Db, modelId: number): Promise<CabinetKey[]> {
  return db.many(sql`
    with l as materialized (
      select l.*, m.side from cabinet_model m cross join ${layoutOf(sql`m`)} where m.id = ${modelId}
    ), removed as (
      delete from compartment k using cabinet c
      where c.model_id = ${modelId} and k.tenant_id = c.tenant_id and k.cabinet_id = c.id
        and k.no not in (select no from l)
      returning k.tenant_id, k.cabinet_id
    ), moved as (
      update compartment k set size = l.size, board_address = l."boardAddress",
        layout_column = l."column", layout_row = l.row, row_span = l."rowSpan"
      from cabinet c cross join l
      where c.model_id = ${modelId} and k.tenant_id = c.tenant_id and k.cabinet_id = c.id
        and k.no = l.no
        and (k.size, k.board_address, k.layout_column, k.layout_row, k.row_span)
          <> (l.size, l."boardAddress", l."column", l.row, l."rowSpan")
      returning k.tenant_id, k.cabinet_id
    ), added as (
      insert into compartment ${columns}
      select ${newCompartment} from cabinet c cross join l
      where c.model_id = ${modelId} and not exists (
        select from compartment k
        where k.tenant_id = c.tenant_id and k.cabinet_id = c.id and k.no = l.no)
      returning tenant_id, cabinet_id
    )
    select distinct tenant_id as "tenantId", cabinet_id as "cabinetId"
    from (table removed union all table moved union all table added) changed`);
}
