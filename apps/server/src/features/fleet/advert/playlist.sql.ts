// SQL for playlists: calculated from the adverts that are on, with the download states that
// cabinets report.

import { MAX_ADVERTS_PER_CABINET } from "@cabinet/contract/fleet/advert/advert.rules.ts";
import type { Playlist, PlaylistReport } from "@cabinet/link";
import type { Db } from "../../../platform/db/db.ts";
import { todaySql } from "../../../platform/db/shanghai.sql.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { type CabinetKey, isConnectedSql } from "../../link/device/index.ts";

/** Whether an advert targets a cabinet of this model, for tables under these aliases. */
export function isAimedAtSql(advert: Sql, cabinet: Sql, model: Sql): Sql {
  return sql`(case ${advert}.target_kind
    when 'ALL' then true
    when 'STORE' then ${cabinet}.store_id = any(${advert}.target_ids)
    when 'CABINET' then ${cabinet}.id = any(${advert}.target_ids)
    when 'MODEL' then ${model}.id = any(${advert}.target_ids)
    else ${model}.side = ${advert}.target_side end)`;
}

const item = sql`jsonb_strip_nulls(jsonb_build_object(
  'file', file.id, 'type', file.kind, 'position', advert.position, 'seconds',
  advert.duration_seconds,
  'size', file.size_bytes, 'sha256', file.sha256,
  'from', (extract(epoch from advert.from_date::timestamp at time zone 'Asia/Shanghai') * 1000)::bigint,
  'until', (extract(epoch from (advert.until_date + 1)::timestamp at time zone 'Asia/Shanghai') * 1000)::bigint,
  'hours', case when advert.from_minute is not null
    then jsonb_build_array(advert.from_minute, advert.until_minute) end))`;

/** The tenant's adverts that are on and not past their end date, each with its playlist item; none while the feature is off. */
const running = (tenantId: number) => sql`
  select advert.tenant_id, advert.id, advert.sort, advert.target_kind, advert.target_ids,
    advert.target_side,
    file.id as file_id, ${item} as item
  from advert join file on file.tenant_id = advert.tenant_id and file.id = advert.file_id
  where advert.tenant_id = ${tenantId} and advert.state = 'ON'
    and not 'advert' = any(tenant_off_features(${tenantId}))
    and (advert.until_date is null or advert.until_date >= ${todaySql})`;

/** Cabinets of the tenant joined with the rows `running` (adverts) that target them. */
const aimed = (tenantId: number) => sql`
  from cabinet
  join cabinet_model model on model.id = cabinet.model_id
  join running on running.tenant_id = cabinet.tenant_id
    and ${isAimedAtSql(sql`running`, sql`cabinet`, sql`model`)}
  where cabinet.tenant_id = ${tenantId} and cabinet.lifecycle in ('ACTIVE', 'PAUSED')`;

/** Cabinets per statement, to stay within the statement timeout. */
const AT_ONCE = 1_000;

/**
 * Recalculates the playlists of a tenant's cabinets from its current adverts, dates and cabinets.
 * Returns the cabinets whose playlist changed.
 */
export async function refreshPlaylists(db: Db, tenantId: number): Promise<CabinetKey[]> {
  // Advisory lock: refreshes of a tenant run one after the other, each on the result of the last.
  await db.run(sql`select pg_advisory_xact_lock(hashtext('playlist'), ${tenantId})`);
  const firsts = await db.many<{ id: number }>(sql`
    select id from (
      select id, row_number() over (order by id) as place from cabinet where tenant_id = ${tenantId}
    ) numbered where place % ${AT_ONCE} = 1 order by id`);
  const changed: CabinetKey[] = [];
  for (const [at, { id }] of firsts.entries()) {
    changed.push(...(await refreshFrom(db, tenantId, id, firsts[at + 1]?.id ?? null)));
  }
  return changed;
}

function refreshFrom(
  db: Db,
  tenantId: number,
  first: number,
  end: number | null,
): Promise<CabinetKey[]> {
  const isOfThese = (id: Sql) =>
    sql`${id} >= ${first}::bigint and (${end}::bigint is null or ${id} < ${end}::bigint)`;
  return db.many(sql`
    with running as materialized (${running(tenantId)}), wanted as materialized (
      select * from (
        select cabinet.id as cabinet_id, running.id as advert_id, running.file_id, running.item,
          row_number() over (partition by cabinet.id order by running.sort, running.id) as place
        ${aimed(tenantId)} and ${isOfThese(sql`cabinet.id`)}
      ) each where place <= ${MAX_ADVERTS_PER_CABINET}
    ), list as (
      select cabinet_id, jsonb_agg(item order by place) as items from wanted group by cabinet_id
    ), filled as (
      insert into cabinet_playlist as playlist (tenant_id, cabinet_id, version, items)
      select ${tenantId}, cabinet_id, 1, items from list
      -- Skip unchanged rows here: ON CONFLICT would lock them, and most rows are unchanged.
      where not exists (select from cabinet_playlist playlist
        where playlist.tenant_id = ${tenantId} and ${isOfThese(sql`playlist.cabinet_id`)}
          and playlist.cabinet_id = list.cabinet_id and playlist.items = list.items)
      on conflict (tenant_id, cabinet_id) do update
        set version = playlist.version + 1, items = excluded.items, changed_at = now()
        where playlist.items <> excluded.items
      returning cabinet_id
    ), emptied as (
      update cabinet_playlist playlist set version = version + 1, items = '[]', changed_at = now()
      where tenant_id = ${tenantId} and ${isOfThese(sql`playlist.cabinet_id`)} and items <> '[]'
        and not exists (select from list where list.cabinet_id = playlist.cabinet_id)
      returning cabinet_id
    ), forgotten as (
      delete from advert_download download
      where tenant_id = ${tenantId} and ${isOfThese(sql`download.cabinet_id`)}
        and not exists (select from wanted
          where wanted.cabinet_id = download.cabinet_id and wanted.advert_id = download.advert_id)
    ), noted as (
      insert into advert_download as download (tenant_id, cabinet_id, advert_id, file_id)
      select ${tenantId}, cabinet_id, advert_id, file_id from wanted
      where not exists (select from advert_download download
        where download.tenant_id = ${tenantId} and ${isOfThese(sql`download.cabinet_id`)}
          and download.cabinet_id = wanted.cabinet_id
          and download.advert_id = wanted.advert_id and download.file_id = wanted.file_id)
      on conflict (tenant_id, cabinet_id, advert_id) do update
        set file_id = excluded.file_id, state = 'WAITING', reason = null, changed_at = now()
        where download.file_id <> excluded.file_id
    )
    select ${tenantId}::int as tenant_id, cabinet_id from filled
    union all select ${tenantId}::int, cabinet_id from emptied`);
}

/** A cabinet that would have more adverts than a playlist can hold. */
export function findCrowdedCabinet(
  db: Db,
  tenantId: number,
): Promise<{ name: string; count: number } | null> {
  return db.maybe(sql`
    with running as materialized (${running(tenantId)})
    select cabinet.name, count(*)::int as count ${aimed(tenantId)}
    group by cabinet.tenant_id, cabinet.id, cabinet.name
    having count(*) > ${MAX_ADVERTS_PER_CABINET} limit 1`);
}

/** Tenants with an advert that is on, or with a playlist that is not empty. */
export async function findShowingTenants(db: Db): Promise<number[]> {
  const rows = await db.many<{ tenantId: number }>(sql`
    select tenant_id from advert where state = 'ON'
    union select tenant_id from cabinet_playlist where items <> '[]'`);
  return rows.map(({ tenantId }) => tenantId);
}

/** Connected cabinets that have not acknowledged their current playlist for a minute. */
export function findSilentCabinets(db: Db, limit: number): Promise<CabinetKey[]> {
  return db.many(sql`
    select playlist.tenant_id, playlist.cabinet_id
    from cabinet_playlist playlist
    join cabinet on cabinet.tenant_id = playlist.tenant_id and cabinet.id = playlist.cabinet_id
    where (playlist.reported_version is null or playlist.reported_version < playlist.version)
      and playlist.changed_at < now() - interval '1 minute' and playlist.is_supported
      and ${isConnectedSql(sql`cabinet`)}
    order by playlist.changed_at limit ${limit}`);
}

/** Lets cabinets whose download of the advert's file failed try again; returns them. */
export function retryDownloads(db: Db, tenantId: number, advertId: number): Promise<CabinetKey[]> {
  return db.many(sql`
    with retried as (
      update advert_download set state = 'WAITING', reason = null, changed_at = now()
      where tenant_id = ${tenantId} and advert_id = ${advertId} and state = 'FAILED'
      returning cabinet_id
    )
    update cabinet_playlist playlist set version = version + 1, changed_at = now()
    from retried where playlist.tenant_id = ${tenantId} and playlist.cabinet_id = retried.cabinet_id
    returning playlist.tenant_id, playlist.cabinet_id`);
}

export function findPlaylist(db: Db, cabinet: CabinetKey): Promise<Playlist | null> {
  return db.maybe(sql`
    select version, items from cabinet_playlist
    where tenant_id = ${cabinet.tenantId} and cabinet_id = ${cabinet.cabinetId} and is_supported`);
}

/**
 * Records the playlist version a cabinet connects with. A version ahead of ours (after a restore,
 * or from another server) gets a newer one. Creates the first row, so that an advert put on
 * concurrently waits for it or is included.
 */
export async function greetPlaylist(
  db: Db,
  cabinet: CabinetKey,
  version: number | undefined,
): Promise<Playlist | null> {
  const known = version ?? 0;
  const playlist = await db.maybe<Playlist>(sql`
    insert into cabinet_playlist as playlist (tenant_id, cabinet_id, version, is_supported,
      reported_version)
    values (${cabinet.tenantId}, ${cabinet.cabinetId},
      case when ${known}::int > 0 then ${known}::int + 1 else 0 end,
      ${version !== undefined}::boolean, ${version ?? null}::int)
    on conflict (tenant_id, cabinet_id) do update set is_supported = excluded.is_supported,
      reported_version = excluded.reported_version,
      version = case when playlist.version < ${known}::int then ${known}::int + 1
        else playlist.version end
    returning version, items`);
  return version === undefined ? null : playlist;
}

/** Ignores a report older than the last one. */
export async function applyPlaylistReport(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  order: { bootNo: number; n: number },
  report: PlaylistReport,
): Promise<void> {
  await db.run(sql`
    with newer as (
      update cabinet_playlist set reported_version = ${report.version}, is_supported = true,
        reported_boot_no = ${order.bootNo}, reported_n = ${order.n}
      where tenant_id = ${tenantId} and cabinet_id = ${cabinetId}
        and (reported_boot_no is null
          or (reported_boot_no, reported_n) < (${order.bootNo}::bigint, ${order.n}::bigint))
      returning cabinet_id
    )
    update advert_download download set state = input.state, reason = input.reason,
      changed_at = now()
    from newer, jsonb_to_recordset(${JSON.stringify(report.files)}::jsonb)
      as input(file text, state text, reason text)
    where download.tenant_id = ${tenantId} and download.cabinet_id = newer.cabinet_id
      and download.file_id::text = input.file
      and (download.state, download.reason) is distinct from (input.state, input.reason)`);
}

/** Whether the cabinet's playlist contains an item made of this file. */
export async function mayDownloadAdvert(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  fileId: string,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from advert_download
    where file_id = ${fileId} and tenant_id = ${tenantId} and cabinet_id = ${cabinetId}`);
  return found !== null;
}
