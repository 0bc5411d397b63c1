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
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { connectivitySql } from "../../link/device/index.ts";

type StockQuery = Input<typeof deviceStockContract.list>["query"];

const columns = sql`
  d.id, d.sn, d.model_id as "modelId", m.name as "modelName", d.batch, d.remark, d.state,
  d.imported_at as "importedAt", d.imported_by as "importedBy",
  d.owner_tenant_id as "tenantId", t.name as "tenantName", d.assigned_at as "assignedAt",
  d.cabinet_id as "cabinetId", c.name as "cabinetName",
  case when c.id is not null then ${connectivitySql(sql`c`)} end as connectivity,
  case when d.state = 'SCRAPPED' or d.code_hash is null then 'NONE'
    when d.claim_hash is not null then
      case when s.kid is not null and s.first_used_at is null then 'CLAIMED' else 'USED' end
    when d.code_expires_at <= now() then 'EXPIRED' else 'VALID' end as "codeState",
  d.code_expires_at as "codeExpiresAt", d.activated_at as "activatedAt",
  s.first_used_at as "firstConnectedAt"`;

const joins = sql`
  join cabinet_model m on m.id = d.model_id
  left join tenant t on t.id = d.owner_tenant_id
  left join cabinet c on c.tenant_id = d.owner_tenant_id and c.id = d.cabinet_id
  left join cabinet_secret s on s.tenant_id = d.owner_tenant_id and s.cabinet_id = d.cabinet_id
    and s.kid = d.issued_kid`;

function matching(query: StockQuery): Sql {
  const conditions = [sql`true`];
  if (query.keyword?.trim()) {
    const pattern = contains(query.keyword);
    conditions.push(sql`(d.sn ilike ${pattern} or d.remark ilike ${pattern})`);
  }
  if (query.modelId) conditions.push(sql`d.model_id = ${query.modelId}`);
  if (query.batch?.trim()) conditions.push(sql`d.batch = ${query.batch.trim()}`);
  if (query.state) conditions.push(sql`d.state = ${query.state}`);
  if (query.tenantId) conditions.push(sql`d.owner_tenant_id = ${query.tenantId}`);
  return join(conditions, " and ");
}

export function findStock(db: Db, query: StockQuery): Promise<Page<DeviceStock>> {
  const matched = sql`from device_stock d where ${matching(query)}`;
  const order = sql`d.imported_at desc, d.id desc`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select d.* ${matched} order by ${order} ${pageLimits(query)}) d ${joins}
      order by ${order}`,
  });
}

export function findStockEvents(db: Db, stockId: number): Promise<DeviceStockEvent[]> {
  return db.many(sql`
    select id, at, kind, actor_name as "actorName", detail from device_stock_event
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
  d.id, d.sn, d.model_id as "modelId", m.name as "modelName", d.batch, d.remark, d.state,
  d.owner_tenant_id as "tenantId", t.name as "tenantName", d.cabinet_id as "cabinetId",
  d.import_id as "importId", d.claim_hash is not null as "isActivating"`;

const rowJoins = sql`
  join cabinet_model m on m.id = d.model_id left join tenant t on t.id = d.owner_tenant_id`;

/** Locks the rows in the order of their ids until the transaction ends. */
export function lockStock(db: Db, ids: readonly number[]): Promise<StockRow[]> {
  return db.many(sql`
    select ${rowColumns} from device_stock d ${rowJoins}
    where d.id = any(${ids}) order by d.id for update of d`);
}

export function lockStockBySn(db: Db, sns: readonly string[]): Promise<StockRow[]> {
  return db.many(sql`
    select ${rowColumns} from device_stock d ${rowJoins}
    where d.sn = any(${sns}) order by d.id for update of d`);
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
      as r(sn text, "modelId" bigint, batch text, remark text, "codeHash" text)
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
    update device_stock d set code_hash = decode(r."codeHash", 'hex'),
      code_expires_at = ${codeExpiry}, claim_hash = null, issued_kid = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "codeHash" text)
    where d.id = r.id`);
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
