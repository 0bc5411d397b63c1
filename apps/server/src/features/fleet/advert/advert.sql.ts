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
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { todaySql } from "../../../platform/db/shanghai.sql.ts";
import { swapWithNeighbour } from "../../../platform/db/sort.sql.ts";
import { and, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { connectivitySql } from "../../link/device/index.ts";
import { storePredicate } from "../../organization/store/index.ts";
import { cabinetPredicate } from "../cabinet/index.ts";
import { isAimedAtSql } from "./playlist.sql.ts";

export type AdvertQuery = Input<typeof advertContract.list>["query"];

const advertAlias = sql`advert`;
const cabinet = sql`cabinet`;

const phase = sql`(case when advert.until_date < ${todaySql} then 'ENDED'
  when advert.from_date > ${todaySql} then 'UPCOMING' else 'RUNNING' end)`;

function clockSql(minute: Sql): Sql {
  return sql`lpad((${minute} / 60)::text, 2, '0') || ':' || lpad((${minute} % 60)::text, 2, '0')`;
}

/** Counts only cabinets that the account may see. */
function downloadsSql(session: Session): Sql {
  return sql`(
    select json_build_object('total', count(*),
      'ready', count(*) filter (where download.state = 'READY'),
      'failed', count(*) filter (where download.state = 'FAILED'),
      'unreached', count(*) filter (where download.state in ('WAITING', 'DOWNLOADING')
        and ${connectivitySql(cabinet)} <> 'ONLINE'))
    from advert_download download join cabinet on cabinet.tenant_id = download.tenant_id
      and cabinet.id = download.cabinet_id
    where download.tenant_id = advert.tenant_id and download.advert_id = advert.id
      and ${cabinetPredicate(session, cabinet)})`;
}

/** Adverts of the tenant; a store-bound account sees those that may be shown at its stores. */
function isVisible(session: Session, requestedTenantId?: number): Sql {
  const isOfTenant = tenantPredicate(session, sql`advert.tenant_id`, requestedTenantId);
  if (!session.isStoreBound) return isOfTenant;
  return sql`${isOfTenant} and (advert.target_kind not in ('STORE', 'CABINET')
    or (advert.target_kind = 'STORE' and exists (
      select from store where store.id = any(advert.target_ids)
        and ${storePredicate(session, sql`store.tenant_id`, sql`store.id`)}))
    or (advert.target_kind = 'CABINET' and exists (
      select from cabinet where cabinet.id = any(advert.target_ids)
        and ${cabinetPredicate(session, cabinet)})))`;
}

/** Names of target stores and cabinets that the account may see; models are visible to all. */
const targetsSql = (session: Session) => sql`coalesce((
  select json_agg(json_build_object('id', aimed.id, 'name', aimed.name)
    order by aimed.name, aimed.id) from (
    select store.id, store.name from store
    where advert.target_kind = 'STORE' and store.tenant_id = advert.tenant_id
      and store.id = any(advert.target_ids)
      and ${storePredicate(session, sql`store.tenant_id`, sql`store.id`)}
    union all select cabinet.id, cabinet.name from cabinet
    where advert.target_kind = 'CABINET' and cabinet.tenant_id = advert.tenant_id
      and cabinet.id = any(advert.target_ids)
      and ${cabinetPredicate(session, cabinet)}
    union all select model.id, model.name from cabinet_model model
    where advert.target_kind = 'MODEL' and model.id = any(advert.target_ids)) aimed), '[]')`;

function columns(session: Session): Sql {
  return sql`
    advert.id, advert.tenant_id, tenant.name as tenant_name, advert.title,
    json_build_object('id', file.id, 'kind', file.kind, 'name', file.name, 'sizeBytes',
      file.size_bytes,
      'width', file.width, 'height', file.height, 'durationMs', file.duration_ms) as file,
    advert.position, advert.duration_seconds, advert.sort,
    to_char(advert.from_date, 'YYYY-MM-DD') as from_date,
    to_char(advert.until_date, 'YYYY-MM-DD') as until_date,
    ${clockSql(sql`advert.from_minute`)} as from_time,
    ${clockSql(sql`advert.until_minute`)} as until_time, advert.target_kind,
    ${targetsSql(session)} as targets, advert.target_side, advert.state, ${phase} as phase,
    ${downloadsSql(session)} as downloads, advert.updated_at`;
}

const joins = sql`
  join file on file.tenant_id = advert.tenant_id and file.id = advert.file_id
  join tenant on tenant.id = advert.tenant_id`;

function matching(session: Session, query: AdvertQuery): Sql {
  return and(
    isVisible(session, query.tenantId),
    textSql(query.keyword, sql`advert.title`),
    query.position && sql`advert.position = ${query.position}`,
    query.state && sql`advert.state = ${query.state}`,
    query.phase && sql`${phase} = ${query.phase}`,
    query.cabinetId &&
      sql`exists (
        select from cabinet join cabinet_model model on model.id = cabinet.model_id
        where cabinet.tenant_id = advert.tenant_id and cabinet.id = ${query.cabinetId}
          and ${cabinetPredicate(session, cabinet)} and ${isAimedAtSql(advertAlias, cabinet, sql`model`)})`,
  );
}

/** In display order. */
export function findAdverts(db: Db, session: Session, query: AdvertQuery): Promise<Page<Advert>> {
  const matched = sql`from advert where ${matching(session, query)}`;
  const order = sql`advert.tenant_id, advert.sort, advert.id`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns(session)}
      from (select advert.* ${matched} order by ${order} ${pageLimits(query)}) advert ${joins}
      order by ${order}`,
  });
}

export function findAdvert(db: Db, session: Session, id: number): Promise<Advert | null> {
  return db.maybe(sql`
    select ${columns(session)} from advert ${joins}
    where advert.id = ${id} and ${isVisible(session)}`);
}

export type DownloadQuery = Input<typeof advertContract.downloads>["query"];

/** Failed downloads first. */
export function findDownloads(
  db: Db,
  session: Session,
  advertId: number,
  query: DownloadQuery,
): Promise<Page<AdvertDownload>> {
  const isOfState = query.state ? sql`download.state = ${query.state}` : sql`true`;
  const matched = sql`
    from advert_download download
    join cabinet on cabinet.tenant_id = download.tenant_id and cabinet.id = download.cabinet_id
    join cabinet_playlist playlist on playlist.tenant_id = download.tenant_id
      and playlist.cabinet_id = download.cabinet_id
    left join store on store.tenant_id = cabinet.tenant_id and store.id = cabinet.store_id
    where download.advert_id = ${advertId} and ${cabinetPredicate(session, cabinet)} and ${isOfState}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select cabinet.id as cabinet_id, cabinet.name as cabinet_name, cabinet.sn as cabinet_sn,
        store.name as store_name, ${connectivitySql(cabinet)} as connectivity,
        playlist.is_supported, download.state, download.reason, download.changed_at
      ${matched}
      order by case download.state when 'FAILED' then 0 when 'DOWNLOADING' then 1
        when 'WAITING' then 2
        else 3 end, cabinet.sn
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
    select tenant_id, id, title, file_id, state, coalesce(until_date < ${todaySql}, false) as is_ended,
      sort, target_kind, target_ids
    from advert where id = ${id} and ${isVisible(session)}
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
    STORE: sql`store where store.tenant_id = ${tenantId} and store.id = any(${ids})
      and ${storePredicate(session, sql`store.tenant_id`, sql`store.id`, tenantId)}`,
    CABINET: sql`cabinet
      where cabinet.tenant_id = ${tenantId} and cabinet.id = any(${ids})
        and ${cabinetPredicate(session, cabinet)}`,
    MODEL: sql`cabinet_model model where model.id = any(${ids})`,
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
    select id, kind, name, size_bytes, width, height, duration_ms, storage_key as key, media_type,
      sha256
    from file
    where id = ${fileId} and purpose = 'ADVERT'
      and ${tenantPredicate(session, sql`file.tenant_id`)}`);
}
