// Absences and store outages in SQL: unreported absences, returned cabinets, open outages.
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { type CabinetKey, insertEvents, markAbsences } from "../../link/device/index.ts";
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
  return sql`unnest(${tenantIds}::int[], ${cabinetIds}::bigint[]) as input (tenant_id, cabinet_id)`;
}

/** Ends absences of cabinets that are online again or no longer in operation. */
export async function endAbsences(db: Db): Promise<CabinetKey[]> {
  const ended = await markAbsences(
    db,
    false,
    sql`
      select tenant_id, id from cabinet
      where is_absence_told and (announced_connectivity = 'ONLINE'
        or not ${isWatched(sql`cabinet`)})
      for no key update skip locked`,
  );
  if (ended.length === 0) return [];
  await db.run(sql`
    update outage_cabinet set back_at = now()
    from ${tableOf(ended)}
    where outage_cabinet.tenant_id = input.tenant_id
      and outage_cabinet.cabinet_id = input.cabinet_id and outage_cabinet.back_at is null`);
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
    isMeant: sql`malfunction.tenant_id = input.tenant_id
      and malfunction.cabinet_id = input.cabinet_id and malfunction.kind = 'OFFLINE'`,
    text,
    set: into === null ? sql`` : sql`, merged_into_id = ${into}`,
  };
}

export function outageOver({ tenantId, id }: MalfunctionKey, text: string): Recovery {
  return {
    isMeant: sql`malfunction.tenant_id = ${tenantId} and malfunction.id = ${id}`,
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
    select tenant_id, id as cabinet_id, store_id from cabinet
    where announced_connectivity = 'OFFLINE' and not is_absence_told and ${isWatched(sql`cabinet`)}
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
    select cabinet.tenant_id, cabinet.store_id, cabinet.id as cabinet_id,
      case when cabinet.announced_connectivity = 'OFFLINE'
        then extract(epoch from cabinet.last_seen_at)::float8 * 1000 end as last_seen_ms
    from cabinet join ${storesTable(stores)} on input.tenant_id = cabinet.tenant_id
      and input.id = cabinet.store_id
    where cabinet.announced_connectivity <> 'NEVER' and ${isWatched(sql`cabinet`)}
    order by cabinet.tenant_id, cabinet.id`);
}

function storesTable(stores: readonly StoreKey[]): Sql {
  const tenantIds = stores.map(({ tenantId }) => tenantId);
  const storeIds = stores.map(({ storeId }) => storeId);
  return sql`unnest(${tenantIds}::int[], ${storeIds}::bigint[]) as input (tenant_id, id)`;
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
    select malfunction.tenant_id, malfunction.store_id, malfunction.id, malfunction.description,
      extract(epoch from malfunction.line_back_at)::float8 * 1000 as line_back_ms,
      extract(epoch from now())::float8 * 1000 as now_ms,
      count(outage_cabinet.cabinet_id)::int as total,
      (count(outage_cabinet.cabinet_id) filter (
        where outage_cabinet.back_at is not null
          or cabinet.store_id is distinct from malfunction.store_id))::int as back
    from malfunction
    left join outage_cabinet on outage_cabinet.tenant_id = malfunction.tenant_id
      and outage_cabinet.malfunction_id = malfunction.id
    left join cabinet on cabinet.tenant_id = outage_cabinet.tenant_id
      and cabinet.id = outage_cabinet.cabinet_id
    where malfunction.store_id is not null and ${isOpenSql}
    group by malfunction.tenant_id, malfunction.id
    order by malfunction.tenant_id, malfunction.id`);
}

export async function markNotified(db: Db, cabinets: readonly CabinetKey[]): Promise<void> {
  await markAbsences(db, true, sql`select tenant_id, cabinet_id from ${tableOf(cabinets)}`);
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
      select cabinet.tenant_id, ${id}, cabinet.id, cabinet.last_seen_at
      from cabinet join ${tableOf(cabinets)} on input.tenant_id = cabinet.tenant_id
        and input.cabinet_id = cabinet.id
      on conflict (tenant_id, malfunction_id, cabinet_id)
      do update set back_at = null, last_seen_at = excluded.last_seen_at`),
    markNotified(db, cabinets),
    noteOutage(db, outage, "STORE_OUTAGE", sql`cabinet.id = any(${cabinetIds}::bigint[])`),
  ]);
}

/** Adds an event to the log of each cabinet of the outage that matches `isConcerned`. */
async function noteOutage(
  db: Db,
  { tenantId, id }: { tenantId: number; id: number },
  kind: "STORE_OUTAGE" | "STORE_OUTAGE_ENDED",
  isConcerned: Sql,
): Promise<void> {
  await insertEvents(
    db,
    sql`
      select cabinet.tenant_id, cabinet.id, ${kind}, null::int,
        jsonb_build_object('malfunctionId', malfunction.id,
        'storeName', store.name, 'total', counted.total, 'back', counted.back)
      from malfunction
      join store on store.tenant_id = malfunction.tenant_id and store.id = malfunction.store_id
      join outage_cabinet on outage_cabinet.tenant_id = malfunction.tenant_id
        and outage_cabinet.malfunction_id = malfunction.id
      join cabinet on cabinet.tenant_id = outage_cabinet.tenant_id
        and cabinet.id = outage_cabinet.cabinet_id
      cross join lateral (
        select count(*) as total, count(back_at) as back from outage_cabinet
        where outage_cabinet.tenant_id = malfunction.tenant_id
          and outage_cabinet.malfunction_id = malfunction.id) counted
      where malfunction.tenant_id = ${tenantId} and malfunction.id = ${id} and ${isConcerned}`,
  );
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
      select outage_cabinet.tenant_id, outage_cabinet.cabinet_id
      from outage_cabinet
      join cabinet on cabinet.tenant_id = outage_cabinet.tenant_id
        and cabinet.id = outage_cabinet.cabinet_id
      where outage_cabinet.tenant_id = ${tenantId} and outage_cabinet.malfunction_id = ${id} and outage_cabinet.back_at is null
        and cabinet.is_absence_told
      order by outage_cabinet.cabinet_id`),
    noteOutage(db, outage, "STORE_OUTAGE_ENDED", sql`true`),
  ]);
  return rest;
}
