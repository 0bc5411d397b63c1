// SQL for adverts: the list with download states, and changes to one.
import type {
  Advert,
  AdvertDownload,
  AdvertFile,
  advertContract,
} from "@cabinet/contract/fleet/advert/advert.contract.ts";
import type { AdvertState, TargetKind } from "@cabinet/contract/fleet/advert/advert.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { contains } from "../../../platform/db/contains.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { swapWithNeighbour } from "../../../platform/db/sort.sql.ts";
import { connectivitySql } from "../../link/device/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { cabinetPredicate } from "../cabinet/index.ts";
import { isAimedAtSql, today } from "./playlist.sql.ts";

export type AdvertQuery = Input<typeof advertContract.list>["query"];

const a = sql`a`;
const c = sql`c`;

const phase = sql`(case when a.until_date < ${today} then 'ENDED'
  when a.from_date > ${today} then 'UPCOMING' else 'RUNNING' end)`;

function clockSql(minute: Sql): Sql {
  return sql`lpad((${minute} / 60)::text, 2, '0') || ':' || lpad((${minute} % 60)::text, 2, '0')`;
}

/** Counts only cabinets that the account may see. */
function downloadsSql(session: Session): Sql {
  return sql`(
    select json_build_object('total', count(*),
      'ready', count(*) filter (where d.state = 'READY'),
      'failed', count(*) filter (where d.state = 'FAILED'),
      'unreached', count(*) filter (where d.state in ('WAITING', 'DOWNLOADING')
        and ${connectivitySql(c)} <> 'ONLINE'))
    from advert_download d join cabinet c on c.tenant_id = d.tenant_id and c.id = d.cabinet_id
    where d.tenant_id = a.tenant_id and d.advert_id = a.id and ${cabinetPredicate(session, c)})`;
}

/** Adverts of the tenant; a store-bound account sees those that may be shown at its stores. */
function isVisible(session: Session, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`a.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and (a.target_kind not in ('STORE', 'CABINET')
    or (a.target_kind = 'STORE' and exists (
      select from store s where s.id = any(a.target_ids)
        and ${storePredicate(session, sql`s.tenant_id`, sql`s.id`)}))
    or (a.target_kind = 'CABINET' and exists (
      select from cabinet c where c.id = any(a.target_ids) and ${cabinetPredicate(session, c)})))`;
}

/** Names of target stores and cabinets that the account may see; models are visible to all. */
const targetsSql = (session: Session) => sql`coalesce((
  select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name, x.id) from (
    select s.id, s.name from store s
    where a.target_kind = 'STORE' and s.tenant_id = a.tenant_id and s.id = any(a.target_ids)
      and ${storePredicate(session, sql`s.tenant_id`, sql`s.id`)}
    union all select c.id, c.name from cabinet c
    where a.target_kind = 'CABINET' and c.tenant_id = a.tenant_id and c.id = any(a.target_ids)
      and ${cabinetPredicate(session, c)}
    union all select m.id, m.name from cabinet_model m
    where a.target_kind = 'MODEL' and m.id = any(a.target_ids)) x), '[]')`;

function columns(session: Session): Sql {
  return sql`
    a.id, a.tenant_id as "tenantId", t.name as "tenantName", a.title,
    json_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'sizeBytes', f.size_bytes,
      'width', f.width, 'height', f.height, 'durationMs', f.duration_ms) as file,
    a.position, a.duration_seconds as "durationSeconds", a.sort,
    to_char(a.from_date, 'YYYY-MM-DD') as "fromDate",
    to_char(a.until_date, 'YYYY-MM-DD') as "untilDate",
    ${clockSql(sql`a.from_minute`)} as "fromTime", ${clockSql(sql`a.until_minute`)} as "untilTime",
    a.target_kind as "targetKind", ${targetsSql(session)} as targets, a.target_side as "targetSide", a.state, ${phase} as phase,
    ${downloadsSql(session)} as downloads, a.updated_at as "updatedAt"`;
}

const joins = sql`
  join file f on f.tenant_id = a.tenant_id and f.id = a.file_id
  join tenant t on t.id = a.tenant_id`;

function matching(session: Session, query: AdvertQuery): Sql {
  const conditions = [isVisible(session, query.tenantId)];
  if (query.keyword?.trim()) conditions.push(sql`a.title ilike ${contains(query.keyword)}`);
  if (query.position) conditions.push(sql`a.position = ${query.position}`);
  if (query.state) conditions.push(sql`a.state = ${query.state}`);
  if (query.phase) conditions.push(sql`${phase} = ${query.phase}`);
  if (query.cabinetId) {
    conditions.push(sql`exists (
      select from cabinet c join cabinet_model m on m.id = c.model_id
      where c.tenant_id = a.tenant_id and c.id = ${query.cabinetId}
        and ${cabinetPredicate(session, c)} and ${isAimedAtSql(a, c, sql`m`)})`);
  }
  return join(conditions, " and ");
}

/** In display order. */
export function findAdverts(db: Db, session: Session, query: AdvertQuery): Promise<Page<Advert>> {
  const matched = sql`from advert a where ${matching(session, query)}`;
  const order = sql`a.tenant_id, a.sort, a.id`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns(session)}
      from (select a.* ${matched} order by ${order} ${pageLimits(query)}) a ${joins}
      order by ${order}`,
  });
}

export function findAdvert(db: Db, session: Session, id: number): Promise<Advert | null> {
  return db.maybe(sql`
    select ${columns(session)} from advert a ${joins}
    where a.id = ${id} and ${isVisible(session)}`);
}

export type DownloadQuery = Input<typeof advertContract.downloads>["query"];

/** Failed downloads first. */
export function findDownloads(
  db: Db,
  session: Session,
  advertId: number,
  query: DownloadQuery,
): Promise<Page<AdvertDownload>> {
  const isOfState = query.state ? sql`d.state = ${query.state}` : sql`true`;
  const matched = sql`
    from advert_download d
    join cabinet c on c.tenant_id = d.tenant_id and c.id = d.cabinet_id
    join cabinet_playlist p on p.tenant_id = d.tenant_id and p.cabinet_id = d.cabinet_id
    left join store s on s.tenant_id = c.tenant_id and s.id = c.store_id
    where d.advert_id = ${advertId} and ${cabinetPredicate(session, c)} and ${isOfState}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select c.id as "cabinetId", c.name as "cabinetName", c.sn as "cabinetSn",
        s.name as "storeName", ${connectivitySql(c)} as connectivity,
        p.is_supported as "isSupported", d.state, d.reason, d.changed_at as "changedAt"
      ${matched}
      order by case d.state when 'FAILED' then 0 when 'DOWNLOADING' then 1 when 'WAITING' then 2
        else 3 end, c.sn
      ${pageLimits(query)}`,
  });
}

export interface AdvertRow {
  tenantId: number;
  id: number;
  title: string;
  fileId: string;
  state: AdvertState;
  isEnded: boolean;
  sort: number;
  targetKind: TargetKind;
  targetIds: number[];
}

/** Locked until the transaction ends; null when there is none visible to this account. */
export function lockAdvert(db: Db, session: Session, id: number): Promise<AdvertRow | null> {
  return db.maybe(sql`
    select tenant_id as "tenantId", id, title, file_id as "fileId", state,
      coalesce(until_date < ${today}, false) as "isEnded", sort,
      target_kind as "targetKind", target_ids as "targetIds"
    from advert a where id = ${id} and ${isVisible(session)}
    for no key update`);
}

/** The columns of an advert's row that a draft sets. */
export interface AdvertValues {
  title: string;
  fileId: string;
  position: string;
  durationSeconds: number;
  fromDate: string | null;
  untilDate: string | null;
  fromMinute: number | null;
  untilMinute: number | null;
  targetKind: TargetKind;
  targetIds: number[];
  targetSide: string | null;
}

/** Inserts a draft at the end of the tenant's order; returns its id. */
export async function insertAdvert(
  db: Db,
  tenantId: number,
  createdBy: number,
  v: AdvertValues,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into advert (tenant_id, title, file_id, position, duration_seconds, sort, from_date,
      until_date, from_minute, until_minute, target_kind, target_ids, target_side, created_by)
    values (${tenantId}, ${v.title}, ${v.fileId}, ${v.position}, ${v.durationSeconds},
      (select coalesce(max(sort), 0) + 1 from advert where tenant_id = ${tenantId}),
      ${v.fromDate}, ${v.untilDate}, ${v.fromMinute}, ${v.untilMinute}, ${v.targetKind},
      ${v.targetIds}, ${v.targetSide}, ${createdBy})
    returning id`);
  return id;
}

export async function updateAdvert(db: Db, advert: AdvertRow, v: AdvertValues): Promise<void> {
  await db.run(sql`
    update advert set title = ${v.title}, file_id = ${v.fileId}, position = ${v.position},
      duration_seconds = ${v.durationSeconds}, from_date = ${v.fromDate},
      until_date = ${v.untilDate}, from_minute = ${v.fromMinute},
      until_minute = ${v.untilMinute}, target_kind = ${v.targetKind},
      target_ids = ${v.targetIds}, target_side = ${v.targetSide}, updated_at = now()
    where tenant_id = ${advert.tenantId} and id = ${advert.id}`);
}

export async function updateState(db: Db, advert: AdvertRow, state: AdvertState): Promise<void> {
  await db.run(sql`
    update advert set state = ${state}, updated_at = now()
    where tenant_id = ${advert.tenantId} and id = ${advert.id}`);
}

export async function deleteAdvert(db: Db, { tenantId, id }: AdvertRow): Promise<void> {
  await db.run(sql`delete from advert where tenant_id = ${tenantId} and id = ${id}`);
}

/** Swaps the advert with its neighbour in the order; false at either end. */
export function swapAdvert(db: Db, row: AdvertRow, step: "up" | "down"): Promise<boolean> {
  return swapWithNeighbour(db, row, step, {
    table: sql`advert`,
    among: sql`true`,
  });
}

/** The number of these targets that the account may use for an advert of this tenant. */
export async function countTargets(
  db: Db,
  session: Session,
  tenantId: number,
  kind: TargetKind,
  ids: number[],
): Promise<number> {
  const tables: Partial<Record<TargetKind, Sql>> = {
    STORE: sql`store s where s.tenant_id = ${tenantId} and s.id = any(${ids})
      and ${storePredicate(session, sql`s.tenant_id`, sql`s.id`, tenantId)}`,
    CABINET: sql`cabinet c
      where c.tenant_id = ${tenantId} and c.id = any(${ids}) and ${cabinetPredicate(session, c)}`,
    MODEL: sql`cabinet_model m where m.id = any(${ids})`,
  };
  const table = tables[kind];
  if (!table) return 0;
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from ${table}`,
  );
  return count;
}

/** The stored file of an advert, or one uploaded for a future advert. */
export function findAdvertFile(
  db: Db,
  session: Session,
  fileId: string,
): Promise<(AdvertFile & { key: string; mediaType: string; sha256: string }) | null> {
  return db.maybe(sql`
    select id, kind, name, size_bytes as "sizeBytes", width, height, duration_ms as "durationMs",
      storage_key as key, media_type as "mediaType", sha256
    from file f
    where id = ${fileId} and purpose = 'ADVERT' and ${tenantPredicate(session, sql`f.tenant_id`)}`);
}
