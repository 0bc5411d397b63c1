// Absences and store outages in SQL: unreported absences, returned cabinets, open outages.
import { type Db, type Sql, sql } from "../../../platform/db/db.ts";
import type { CabinetKey } from "../../link/device/index.ts";
import { isOpenSql, type MalfunctionKey, type Recovery } from "./malfunction-progress.sql.ts";
import type { OutageCount } from "./outage.rules.ts";

export interface StoreKey {
  tenantId: number;
  storeId: number;
}

/** Cabinets whose absence is a malfunction: those that serve customers or still contain goods. */
const isWatched = (alias: Sql) => sql`${alias}.lifecycle in ('ACTIVE', 'PAUSED')`;

/** The cabinets as a table `k (tenant_id, cabinet_id)`. */
function tableOf(cabinets: readonly CabinetKey[]): Sql {
  const tenantIds = cabinets.map(({ tenantId }) => tenantId);
  const cabinetIds = cabinets.map(({ cabinetId }) => cabinetId);
  return sql`unnest(${tenantIds}::int[], ${cabinetIds}::bigint[]) as k (tenant_id, cabinet_id)`;
}

/** Ends absences of cabinets that are online again or no longer in operation. */
export async function endAbsences(db: Db): Promise<CabinetKey[]> {
  const ended = await db.many<CabinetKey>(sql`
    update cabinet set is_absence_told = false
    where (tenant_id, id) in (
      select tenant_id, id from cabinet c
      where is_absence_told and (announced_connectivity = 'ONLINE' or not ${isWatched(sql`c`)})
      for no key update skip locked)
    returning tenant_id as "tenantId", id as "cabinetId"`);
  if (ended.length === 0) return [];
  await db.run(sql`
    update outage_cabinet o set back_at = now()
    from ${tableOf(ended)}
    where o.tenant_id = k.tenant_id and o.cabinet_id = k.cabinet_id and o.back_at is null`);
  return ended;
}

/**
 * Recovery of open absence malfunctions of these cabinets; `into`: the store outage that replaces
 * them.
 */
export function absencesOver(
  cabinets: readonly CabinetKey[],
  text: string,
  into: number | null = null,
): Recovery {
  return {
    from: sql`from ${tableOf(cabinets)}`,
    isMeant: sql`m.tenant_id = k.tenant_id and m.cabinet_id = k.cabinet_id and m.kind = 'OFFLINE'`,
    text,
    set: into === null ? sql`` : sql`, merged_into_id = ${into}`,
  };
}

export function outageOver({ tenantId, id }: MalfunctionKey, text: string): Recovery {
  return {
    isMeant: sql`m.tenant_id = ${tenantId} and m.id = ${id}`,
    text,
    set: sql`, description = ${text}`,
  };
}

export interface AbsentCabinet extends CabinetKey {
  storeId: number | null;
}

/**
 * Absences longer than `afterSeconds` without a malfunction; none while the absence is excused by
 * downtime of our own server (`presence_sweep`).
 */
export function findUnreportedAbsences(db: Db, afterSeconds: number): Promise<AbsentCabinet[]> {
  return db.many(sql`
    select tenant_id as "tenantId", id as "cabinetId", store_id as "storeId" from cabinet c
    where announced_connectivity = 'OFFLINE' and not is_absence_told and ${isWatched(sql`c`)}
      and offline_at <= now() - make_interval(secs => ${afterSeconds})
      and (select excused_until <= now() from presence_sweep)
    order by tenant_id, id`);
}

export interface StoreCabinetRow extends StoreKey {
  cabinetId: number;
  lastSeenMs: number | null;
}

/** Cabinets of these stores that were ever online; `lastSeenMs` for those offline now. */
export function findCabinetsOfStores(
  db: Db,
  stores: readonly StoreKey[],
): Promise<StoreCabinetRow[]> {
  return db.many(sql`
    select c.tenant_id as "tenantId", c.store_id as "storeId", c.id as "cabinetId",
      case when c.announced_connectivity = 'OFFLINE'
        then extract(epoch from c.last_seen_at)::float8 * 1000 end as "lastSeenMs"
    from cabinet c join ${storesTable(stores)} on s.tenant_id = c.tenant_id and s.id = c.store_id
    where c.announced_connectivity <> 'NEVER' and ${isWatched(sql`c`)}
    order by c.tenant_id, c.id`);
}

function storesTable(stores: readonly StoreKey[]): Sql {
  const tenantIds = stores.map(({ tenantId }) => tenantId);
  const storeIds = stores.map(({ storeId }) => storeId);
  return sql`unnest(${tenantIds}::int[], ${storeIds}::bigint[]) as s (tenant_id, id)`;
}

export interface OpenOutage extends StoreKey, OutageCount {
  id: number;
  description: string;
  lineBackMs: number | null;
  nowMs: number;
}

/**
 * Open outages with the number of cabinets back; a cabinet moved to another store counts as back.
 */
export function findOpenOutages(db: Db): Promise<OpenOutage[]> {
  return db.many(sql`
    select m.tenant_id as "tenantId", m.store_id as "storeId", m.id, m.description,
      extract(epoch from m.line_back_at)::float8 * 1000 as "lineBackMs",
      extract(epoch from now())::float8 * 1000 as "nowMs",
      count(o.cabinet_id)::int as total,
      (count(o.cabinet_id) filter (
        where o.back_at is not null or c.store_id is distinct from m.store_id))::int as back
    from malfunction m
    left join outage_cabinet o on o.tenant_id = m.tenant_id and o.malfunction_id = m.id
    left join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    where m.store_id is not null and ${isOpenSql}
    group by m.tenant_id, m.id
    order by m.tenant_id, m.id`);
}

export function markNotified(db: Db, cabinets: readonly CabinetKey[]): Promise<number> {
  return db.run(sql`
    update cabinet c set is_absence_told = true from ${tableOf(cabinets)}
    where c.tenant_id = k.tenant_id and c.id = k.cabinet_id`);
}

/** Adds cabinets to an outage and marks their absence as reported. */
export async function joinOutage(
  db: Db,
  outage: StoreKey & { id: number },
  cabinetIds: readonly number[],
): Promise<void> {
  const { tenantId, id } = outage;
  const cabinets = cabinetIds.map((cabinetId) => ({ tenantId, cabinetId }));
  await Promise.all([
    db.run(sql`
      insert into outage_cabinet (tenant_id, malfunction_id, cabinet_id, last_seen_at)
      select c.tenant_id, ${id}, c.id, c.last_seen_at
      from cabinet c join ${tableOf(cabinets)} on k.tenant_id = c.tenant_id and k.cabinet_id = c.id
      on conflict (tenant_id, malfunction_id, cabinet_id)
      do update set back_at = null, last_seen_at = excluded.last_seen_at`),
    markNotified(db, cabinets),
    noteOutage(db, outage, "STORE_OUTAGE", sql`c.id = any(${cabinetIds}::bigint[])`),
  ]);
}

/** Adds an event to the log of each cabinet of the outage that matches `isConcerned`. */
async function noteOutage(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  kind: "STORE_OUTAGE" | "STORE_OUTAGE_ENDED",
  isConcerned: Sql,
): Promise<void> {
  await db.run(sql`
    insert into cabinet_event (tenant_id, cabinet_id, kind, payload)
    select c.tenant_id, c.id, ${kind}, jsonb_build_object('malfunctionId', m.id,
      'storeName', s.name, 'total', n.total, 'back', n.back)
    from malfunction m
    join store s on s.tenant_id = m.tenant_id and s.id = m.store_id
    join outage_cabinet o on o.tenant_id = m.tenant_id and o.malfunction_id = m.id
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    cross join lateral (
      select count(*) as total, count(back_at) as back from outage_cabinet a
      where a.tenant_id = m.tenant_id and a.malfunction_id = m.id) n
    where m.tenant_id = ${tenantId} and m.id = ${id} and ${isConcerned}`);
}

/** Stores the progress of an outage. */
export async function saveOutage(
  db: Db,
  { tenantId, id }: OpenOutage,
  now: { description: string; lineBackMs: number | null },
): Promise<void> {
  await db.run(sql`
    update malfunction set description = ${now.description}, updated_at = now(),
      line_back_at = to_timestamp(${now.lineBackMs}::float8 / 1000)
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** Logs the end of an outage; returns its cabinets that are still offline. */
export async function endOutage(db: Db, outage: MalfunctionKey): Promise<CabinetKey[]> {
  const { tenantId, id } = outage;
  const [rest] = await Promise.all([
    db.many<CabinetKey>(sql`
      select o.tenant_id as "tenantId", o.cabinet_id as "cabinetId"
      from outage_cabinet o
      join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
      where o.tenant_id = ${tenantId} and o.malfunction_id = ${id} and o.back_at is null
        and c.is_absence_told
      order by o.cabinet_id`),
    noteOutage(db, outage, "STORE_OUTAGE_ENDED", sql`true`),
  ]);
  return rest;
}
