// The stock of new devices in the database; used by platform staff only.
import type {
  DeviceStock,
  DeviceStockEvent,
  deviceStockContract,
} from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import {
  CODE_VALID_DAYS,
  type StockEventKind,
  type StockState,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { connectivitySql } from "../../link/device/index.ts";

type StockQuery = Input<typeof deviceStockContract.list>["query"];

const columns = sql`
  stock.id, stock.sn, stock.model_id, model.name as model_name, stock.batch, stock.remark,
  stock.state, stock.imported_at, stock.imported_by, stock.owner_tenant_id as tenant_id,
  tenant.name as tenant_name, stock.assigned_at, stock.cabinet_id, cabinet.name as cabinet_name,
  case when cabinet.id is not null then ${connectivitySql(sql`cabinet`)} end as connectivity,
  case when stock.state = 'SCRAPPED' or stock.code_hash is null then 'NONE'
    when stock.claim_hash is not null then
      case when secret.kid is not null and secret.first_used_at is null then 'CLAIMED'
        else 'USED' end
    when stock.code_expires_at <= now() then 'EXPIRED' else 'VALID' end as code_state,
  stock.code_expires_at, stock.activated_at, secret.first_used_at as first_connected_at`;

const joins = sql`
  join cabinet_model model on model.id = stock.model_id
  left join tenant on tenant.id = stock.owner_tenant_id
  left join cabinet on cabinet.tenant_id = stock.owner_tenant_id and cabinet.id = stock.cabinet_id
  left join cabinet_secret secret on secret.tenant_id = stock.owner_tenant_id
    and secret.cabinet_id = stock.cabinet_id
    and secret.kid = stock.issued_kid`;

function matching(query: StockQuery): Sql {
  return and(
    sql`true`,
    textSql(query.keyword, sql`stock.sn`, sql`stock.remark`),
    query.modelId && sql`stock.model_id = ${query.modelId}`,
    query.batch?.trim() && sql`stock.batch = ${query.batch.trim()}`,
    query.state && sql`stock.state = ${query.state}`,
    query.tenantId && sql`stock.owner_tenant_id = ${query.tenantId}`,
  );
}

export function findStock(db: Db, query: StockQuery): Promise<Page<DeviceStock>> {
  const matched = sql`from device_stock stock where ${matching(query)}`;
  const order = sql`stock.imported_at desc, stock.id desc`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select stock.* ${matched} order by ${order} ${pageLimits(query)}) stock ${joins}
      order by ${order}`,
  });
}

export function findStockEvents(db: Db, stockId: number): Promise<DeviceStockEvent[]> {
  return db.many(sql`
    select id, at, kind, actor_name, detail from device_stock_event
    where stock_id = ${stockId} order by id desc limit 200`);
}

export async function findBatches(db: Db): Promise<string[]> {
  const rows = await db.many<{ batch: string }>(sql`
    select batch from device_stock where batch <> ''
    group by batch order by max(imported_at) desc, batch limit 200`);
  return rows.map(({ batch }) => batch);
}

export interface StockRow {
  id: number;
  sn: string;
  modelId: number;
  modelName: string;
  batch: string;
  remark: string;
  state: StockState;
  tenantId: number | null;
  tenantName: string | null;
  cabinetId: number | null;
  importId: string | null;
  /** A secret was issued for its code and has not connected yet. */
  isActivating: boolean;
}

const rowColumns = sql`
  stock.id, stock.sn, stock.model_id, model.name as model_name, stock.batch, stock.remark,
  stock.state, stock.owner_tenant_id as tenant_id, tenant.name as tenant_name, stock.cabinet_id,
  stock.import_id, stock.claim_hash is not null as is_activating`;

const rowJoins = sql`
  join cabinet_model model on model.id = stock.model_id
  left join tenant on tenant.id = stock.owner_tenant_id`;

/** Locks the rows in the order of their ids until the transaction ends. */
export function lockStock(db: Db, ids: readonly number[]): Promise<StockRow[]> {
  return db.many(sql`
    select ${rowColumns} from device_stock stock ${rowJoins}
    where stock.id = any(${ids}) order by stock.id for update of stock`);
}

export function lockStockBySn(db: Db, sns: readonly string[]): Promise<StockRow[]> {
  return db.many(sql`
    select ${rowColumns} from device_stock stock ${rowJoins}
    where stock.sn = any(${sns}) order by stock.id for update of stock`);
}

/** Serial numbers that cabinets already have, even if they never were in stock. */
export async function findCabinetNumbers(db: Db, sns: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ sn: string }>(sql`select sn from cabinet where sn = any(${sns})`);
  return rows.map(({ sn }) => sn);
}

/** Counts the cabinets of a tenant that count against its limit. */
export async function countCabinets(db: Db, tenantId: number): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from cabinet
    where tenant_id = ${tenantId} and lifecycle <> 'RETIRED'`);
  return n;
}

export interface NewStock {
  sn: string;
  modelId: number;
  batch: string;
  remark: string;
  codeHash: Buffer;
}

const codeExpiry = sql`now() + make_interval(days => ${CODE_VALID_DAYS})`;

/** Leaves out devices whose serial number was taken meanwhile. */
export function insertStock(
  db: Db,
  devices: readonly NewStock[],
  origin: { importId: string | null; importedBy: string },
): Promise<{ id: number; sn: string }[]> {
  const rows = devices.map(({ codeHash, ...device }) => ({
    ...device,
    codeHash: codeHash.toString("hex"),
  }));
  return db.many(sql`
    insert into device_stock (sn, model_id, batch, remark, import_id, imported_by, code_hash,
      code_expires_at)
    select sn, "modelId", batch, remark, ${origin.importId}, ${origin.importedBy},
      decode("codeHash", 'hex'), ${codeExpiry}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as input(sn text, "modelId" bigint, batch text, remark text, "codeHash" text)
    on conflict (sn) do nothing
    returning id, sn`);
}

/** Gives these devices new, unclaimed codes; claims of the old codes end. */
export async function updateCodes(
  db: Db,
  codes: readonly { id: number; codeHash: Buffer }[],
): Promise<void> {
  const rows = codes.map(({ id, codeHash }) => ({ id, codeHash: codeHash.toString("hex") }));
  await db.run(sql`
    update device_stock stock set code_hash = decode(input."codeHash", 'hex'),
      code_expires_at = ${codeExpiry}, claim_hash = null, issued_kid = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as input(id bigint, "codeHash" text)
    where stock.id = input.id`);
}

export async function findCodeExpiry(db: Db): Promise<string> {
  const { at } = await db.one<{ at: string }>(sql`select ${codeExpiry} as at`);
  return at;
}

export async function updateDevice(
  db: Db,
  id: number,
  device: { modelId: number; batch: string; remark: string },
): Promise<void> {
  await db.run(sql`
    update device_stock set model_id = ${device.modelId}, batch = ${device.batch},
      remark = ${device.remark} where id = ${id}`);
}

export async function updateAssignment(
  db: Db,
  id: number,
  owner: { tenantId: number; cabinetId: number },
): Promise<void> {
  await db.run(sql`
    update device_stock set state = 'ASSIGNED', owner_tenant_id = ${owner.tenantId},
      cabinet_id = ${owner.cabinetId}, assigned_at = now() where id = ${id}`);
}

/** Puts devices back in stock or scraps them; their codes become void. */
export async function updateWithdrawn(
  db: Db,
  ids: readonly number[],
  state: "IN_STOCK" | "SCRAPPED",
): Promise<void> {
  await db.run(sql`
    update device_stock set state = ${state}, owner_tenant_id = null, cabinet_id = null,
      assigned_at = null, code_hash = null, code_expires_at = null, claim_hash = null,
      issued_kid = null where id = any(${ids})`);
}

/** Puts all devices of a tenant back in stock, before its cabinets are erased. */
export async function returnDevicesOf(db: Db, tenantId: number): Promise<void> {
  const devices = await db.many<{ id: number }>(sql`
    select id from device_stock where owner_tenant_id = ${tenantId}`);
  if (devices.length === 0) return;
  const ids = devices.map(({ id }) => id);
  await updateWithdrawn(db, ids, "IN_STOCK");
  await insertStockEvent(db, {
    ...{ stockIds: ids, kind: "RECALLED", actorName: "storage", detail: "租户数据已清除" },
  });
}

export async function deleteStock(db: Db, id: number): Promise<void> {
  await db.run(sql`delete from device_stock where id = ${id}`);
}

export async function insertStockEvent(
  db: Db,
  event: { stockIds: readonly number[]; kind: StockEventKind; actorName: string; detail: string },
): Promise<void> {
  await db.run(sql`
    insert into device_stock_event (stock_id, kind, actor_name, detail)
    select unnest(${event.stockIds}::bigint[]), ${event.kind}, ${event.actorName}, ${event.detail}`);
}

export function findModels(db: Db): Promise<{ id: number; name: string }[]> {
  return db.many(sql`select id, name from cabinet_model`);
}
