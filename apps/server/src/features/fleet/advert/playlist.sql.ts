// SQL for playlists: calculated from the adverts that are on, with the download states that
// cabinets report.
import { MAX_ADVERTS_PER_CABINET } from "@cabinet/contract/fleet/advert/advert.rules.ts";
import type { Playlist, PlaylistReport } from "@cabinet/link";
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import { type CabinetKey, isConnectedSql } from "../../link/device/index.ts";

export const today = sql`(now() at time zone 'Asia/Shanghai')::date`;

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
  'file', f.id, 'type', f.kind, 'position', a.position, 'seconds', a.duration_seconds,
  'size', f.size_bytes, 'sha256', f.sha256,
  'from', (extract(epoch from a.from_date::timestamp at time zone 'Asia/Shanghai') * 1000)::bigint,
  'until', (extract(epoch from (a.until_date + 1)::timestamp at time zone 'Asia/Shanghai') * 1000)::bigint,
  'hours', case when a.from_minute is not null
    then jsonb_build_array(a.from_minute, a.until_minute) end))`;

/** The tenant's adverts that are on and not past their end date, each with its playlist item. */
const running = (tenantId: number) => sql`
  select a.tenant_id, a.id, a.sort, a.target_kind, a.target_ids, a.target_side,
    f.id as file_id, ${item} as item
  from advert a join file f on f.tenant_id = a.tenant_id and f.id = a.file_id
  where a.tenant_id = ${tenantId} and a.state = 'ON'
    and (a.until_date is null or a.until_date >= ${today})`;

/** Cabinets `c` of the tenant joined with the adverts `a` that target them. */
const aimed = (tenantId: number) => sql`
  from cabinet c
  join cabinet_model m on m.id = c.model_id
  join running a on a.tenant_id = c.tenant_id and ${isAimedAtSql(sql`a`, sql`c`, sql`m`)}
  where c.tenant_id = ${tenantId} and c.lifecycle in ('ACTIVE', 'PAUSED')`;

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
    ) c where place % ${AT_ONCE} = 1 order by id`);
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
        select c.id as cabinet_id, a.id as advert_id, a.file_id, a.item,
          row_number() over (partition by c.id order by a.sort, a.id) as place
        ${aimed(tenantId)} and ${isOfThese(sql`c.id`)}
      ) each where place <= ${MAX_ADVERTS_PER_CABINET}
    ), list as (
      select cabinet_id, jsonb_agg(item order by place) as items from wanted group by cabinet_id
    ), filled as (
      insert into cabinet_playlist as p (tenant_id, cabinet_id, version, items)
      select ${tenantId}, cabinet_id, 1, items from list l
      -- Skip unchanged rows here: ON CONFLICT would lock them, and most rows are unchanged.
      where not exists (select from cabinet_playlist k
        where k.tenant_id = ${tenantId} and ${isOfThese(sql`k.cabinet_id`)}
          and k.cabinet_id = l.cabinet_id and k.items = l.items)
      on conflict (tenant_id, cabinet_id) do update
        set version = p.version + 1, items = excluded.items, changed_at = now()
        where p.items <> excluded.items
      returning cabinet_id
    ), emptied as (
      update cabinet_playlist p set version = version + 1, items = '[]', changed_at = now()
      where tenant_id = ${tenantId} and ${isOfThese(sql`p.cabinet_id`)} and items <> '[]'
        and not exists (select from list where list.cabinet_id = p.cabinet_id)
      returning cabinet_id
    ), forgotten as (
      delete from advert_download d
      where tenant_id = ${tenantId} and ${isOfThese(sql`d.cabinet_id`)}
        and not exists (select from wanted w
          where w.cabinet_id = d.cabinet_id and w.advert_id = d.advert_id)
    ), noted as (
      insert into advert_download as d (tenant_id, cabinet_id, advert_id, file_id)
      select ${tenantId}, cabinet_id, advert_id, file_id from wanted w
      where not exists (select from advert_download k
        where k.tenant_id = ${tenantId} and ${isOfThese(sql`k.cabinet_id`)}
          and k.cabinet_id = w.cabinet_id
          and k.advert_id = w.advert_id and k.file_id = w.file_id)
      on conflict (tenant_id, cabinet_id, advert_id) do update
        set file_id = excluded.file_id, state = 'WAITING', reason = null, changed_at = now()
        where d.file_id <> excluded.file_id
    )
    select ${tenantId}::int as "tenantId", cabinet_id as "cabinetId" from filled
    union all select ${tenantId}::int, cabinet_id from emptied`);
}

/** A cabinet that would have more adverts than a playlist can hold. */
export function findCrowdedCabinet(
  db: Db,
  tenantId: number,
): Promise<{ name: string; count: number } | null> {
  return db.maybe(sql`
    with running as materialized (${running(tenantId)})
    select c.name, count(*)::int as count ${aimed(tenantId)}
    group by c.tenant_id, c.id, c.name having count(*) > ${MAX_ADVERTS_PER_CABINET} limit 1`);
}

/** Tenants with an advert that is on, or with a playlist that is not empty. */
export async function findShowingTenants(db: Db): Promise<number[]> {
  const rows = await db.many<{ tenantId: number }>(sql`
    select tenant_id as "tenantId" from advert where state = 'ON'
    union select tenant_id from cabinet_playlist where items <> '[]'`);
  return rows.map(({ tenantId }) => tenantId);
}

/** Connected cabinets that have not acknowledged their current playlist for a minute. */
export function findSilentCabinets(db: Db, limit: number): Promise<CabinetKey[]> {
  return db.many(sql`
    select p.tenant_id as "tenantId", p.cabinet_id as "cabinetId"
    from cabinet_playlist p
    join cabinet c on c.tenant_id = p.tenant_id and c.id = p.cabinet_id
    where (p.reported_version is null or p.reported_version < p.version)
      and p.changed_at < now() - interval '1 minute' and p.is_supported
      and ${isConnectedSql(sql`c`)}
    order by p.changed_at limit ${limit}`);
}

/** Lets cabinets whose download of the advert's file failed try again; returns them. */
export function retryDownloads(db: Db, tenantId: number, advertId: number): Promise<CabinetKey[]> {
  return db.many(sql`
    with retried as (
      update advert_download set state = 'WAITING', reason = null, changed_at = now()
      where tenant_id = ${tenantId} and advert_id = ${advertId} and state = 'FAILED'
      returning cabinet_id
    )
    update cabinet_playlist p set version = version + 1, changed_at = now()
    from retried where p.tenant_id = ${tenantId} and p.cabinet_id = retried.cabinet_id
    returning p.tenant_id as "tenantId", p.cabinet_id as "cabinetId"`);
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
    insert into cabinet_playlist as p (tenant_id, cabinet_id, version, is_supported, reported_version)
    values (${cabinet.tenantId}, ${cabinet.cabinetId},
      case when ${known}::int > 0 then ${known}::int + 1 else 0 end,
      ${version !== undefined}::boolean, ${version ?? null}::int)
    on conflict (tenant_id, cabinet_id) do update set is_supported = excluded.is_supported,
      reported_version = excluded.reported_version,
      version = case when p.version < ${known}::int then ${known}::int + 1 else p.version end
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
    update advert_download d set state = r.state, reason = r.reason, changed_at = now()
    from newer, jsonb_to_recordset(${JSON.stringify(report.files)}::jsonb)
      as r(file text, state text, reason text)
    where d.tenant_id = ${tenantId} and d.cabinet_id = newer.cabinet_id
      and d.file_id::text = r.file and (d.state, d.reason) is distinct from (r.state, r.reason)`);
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
