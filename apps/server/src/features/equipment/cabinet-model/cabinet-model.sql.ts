// SQL for cabinet models: the list, one in full, changes under lock.
import type {
  CabinetModel,
  CabinetModelDetail,
  CabinetModelOption,
  cabinetModelContract,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, directions, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import type { CabinetKey } from "../../link/device/index.ts";

export function findCabinetModelOptions(db: Db): Promise<CabinetModelOption[]> {
  return db.many(sql`select id, name, side from cabinet_model order by name, id`);
}

/** Models are visible to all; their cabinets are counted only where the account may see them. */
function columnsFor(session: Session): Sql {
  return sql`
    model.id, model.name, model.side, model.vendor, model.capabilities, model.heartbeat_seconds,
    model.offline_seconds, model.remark, model.version, model.updated_at,
    (select json_build_object(
        'S', count(*) filter (where size = 'S'), 'M', count(*) filter (where size = 'M'),
        'L', count(*) filter (where size = 'L'), 'XL', count(*) filter (where size = 'XL'))
      from jsonb_to_recordset(model.layout) as input(size text)) as sizes,
    (select count(*)::int from cabinet
      where cabinet.model_id = model.id and ${cabinetPredicate(session, sql`cabinet`)}) as cabinet_count`;
}

export type CabinetModelQuery = Input<typeof cabinetModelContract.list>["query"];

const sortColumns = {
  name: sql`name`,
  cabinetCount: sql`cabinet_count`,
  updatedAt: sql`updated_at`,
};

export function findCabinetModels(
  db: Db,
  session: Session,
  query: CabinetModelQuery,
): Promise<Page<CabinetModel>> {
  const conditions = and(
    sql`true`,
    textSql(query.name, sql`model.name`),
    textSql(query.vendor, sql`model.vendor`),
    query.side && sql`model.side = ${query.side}`,
  );
  const matching = sql`from cabinet_model model where ${conditions}`;
  const { sort = "name", order = "asc" } = query;
  return findPage(db, {
    matching,
    rows: sql`
      select * from (select ${columnsFor(session)} ${matching}) listed
      order by ${sortColumns[sort]} ${directions[order]}, id
      ${pageLimits(query)}`,
  });
}

export function findCabinetModel(
  db: Db,
  session: Session,
  id: number,
): Promise<CabinetModelDetail | null> {
  return db.maybe(sql`
    select ${columnsFor(session)},
      json_build_object('columns', model.grid_columns, 'rows', model.grid_rows, 'cells',
        model.layout) as layout
    from cabinet_model model where model.id = ${id}`);
}

/** Locks the model until the transaction ends: nobody can change it or create a cabinet of it. */
export async function lockCabinetModel(db: Db, id: number): Promise<boolean> {
  return (await db.run(sql`select from cabinet_model where id = ${id} for update`)) === 1;
}

/**
 * Locks the model's cabinets of all tenants, so that no opening, report or creation runs meanwhile.
 */
export function lockCabinetsOfModel(db: Db, modelId: number): Promise<CabinetKey[]> {
  return db.many(sql`
    select tenant_id, id as cabinet_id from cabinet
    where model_id = ${modelId}
    order by tenant_id, id
    for no key update`);
}

export async function isNameTaken(db: Db, name: string, exceptId: number): Promise<boolean> {
  const other = await db.maybe<object>(sql`
    select from cabinet_model where name = ${name} and id <> ${exceptId}`);
  return other !== null;
}
