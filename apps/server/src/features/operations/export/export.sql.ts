// Exports and their chunks in the database.
import { EXPORT_CHUNK_ROWS } from "@cabinet/contract/kit/export.rules.ts";
import { isPlatformStaff, type Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import type { ExportFailure } from "./export.rules.ts";

/** A process that reads an export and has not updated it for this long is considered dead. */
const SILENT_SECONDS = 20;
const EXPIRY_MINUTES = 30;

const isAlive = sql`(state = 'WAITING' or state = 'RUNNING'
  and seen_at > now() - make_interval(secs => ${SILENT_SECONDS}))`;

/** Call behind `countTenantExports`, whose lock orders concurrent starts of the account, too. */
export function countActiveExports(db: Db, session: Session): Promise<number> {
  return db
    .one<{ count: number }>(sql`
      select count(*)::int as count from list_export where ${isAlive}
        and tenant_id = ${session.tenantId} and operator_id = ${session.operatorId}`)
    .then(({ count }) => count);
}

/** Exports of the tenant's accounts, counted under an advisory lock that serializes their starts. */
export async function countTenantExports(
  db: Db,
  { tenantId }: Session,
): Promise<{ count: number; max: number | null }> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('tenant exports'), ${tenantId})`);
  return db.one(sql`
    select tenant.max_exports as max,
      (select count(*)::int from list_export where tenant_id = ${tenantId} and ${isAlive}) as count
    from tenant where tenant.id = ${tenantId}`);
}

/** Counts the waiting exports of all tenants. */
export function countWaitingExports(db: Db): Promise<number> {
  return db
    .one<{ count: number }>(sql`select waiting_exports() as count`)
    .then(({ count }) => count);
}

export function insertExport(
  db: Db,
  session: Session,
  { call, query }: { call: string; query: object },
): Promise<{ id: string }> {
  return db.one(sql`
    insert into list_export (tenant_id, operator_id, session_hash, is_platform, reach, call, query)
    values (${session.tenantId}, ${session.operatorId}, ${session.tokenHash},
      ${isPlatformStaff(session)}, ${exportScopeOf(session)}, ${call}, ${JSON.stringify(query)})
    returning id`);
}

/** Fingerprint of the stores that the account sees now; `*` without a store limit. */
function exportScopeOf({ isStoreBound, tenantId, operatorId }: Session): Sql {
  if (!isStoreBound) return sql`'*'`;
  return sql`(
    select md5(coalesce(string_agg(distinct visible_store.store_id::text, ','), ''))
    from visible_store
    where visible_store.tenant_id = ${tenantId} and visible_store.operator_id = ${operatorId})`;
}

/** An account that joined or left the platform staff since then no longer sees the export. */
function own(session: Session, id: string): Sql {
  return sql`tenant_id = ${session.tenantId} and operator_id = ${session.operatorId}
    and is_platform = ${isPlatformStaff(session)} and id = ${id}`;
}

export interface ExportRow {
  call: string;
  /** False if the account sees other stores than when the export began. */
  isSameReach: boolean;
  state: "WAITING" | "RUNNING" | "READY" | "FAILED";
  failure: ExportFailure | null;
  ahead: number;
  total: number | null;
  rowCount: number;
}

export function findExport(db: Db, session: Session, id: string): Promise<ExportRow | null> {
  return db.maybe(sql`
    select call, total, row_count, reach = ${exportScopeOf(session)} as is_same_reach,
      case when state = 'RUNNING' and not ${isAlive} then 'FAILED' else state end as state,
      case when state = 'RUNNING' then 'INTERRUPTED' else failure end as failure,
      case when state = 'WAITING' then waiting_exports(created_at) else 0 end as ahead
    from list_export
    where ${own(session, id)} and created_at > now() - make_interval(mins => ${EXPIRY_MINUTES})`);
}

/** The rows from `from` (0-based) up to, but excluding, `to`. */
export async function findExportRows(
  db: Db,
  session: Session,
  { id, from, to }: { id: string; from: number; to: number },
): Promise<unknown[]> {
  const [first, last] = [from, to - 1].map((row) => Math.floor(row / EXPORT_CHUNK_ROWS));
  const chunks = await db.many<{ rows: string }>(sql`
    select rows from list_export_chunk
    where tenant_id = ${session.tenantId} and export_id = ${id} and no between ${first} and ${last}
    order by no`);
  const rows = chunks.flatMap((chunk) => JSON.parse(chunk.rows) as unknown[]);
  const skipped = (first ?? 0) * EXPORT_CHUNK_ROWS;
  return rows.slice(from - skipped, to - skipped);
}

export function deleteExport(
  db: Db,
  session: Session,
  id: string,
): Promise<{ call: string; total: number | null; rowCount: number } | null> {
  return db.maybe(sql`
    delete from list_export where ${own(session, id)} returning call, total, row_count`);
}

export interface ClaimedExport {
  tenantId: number;
  id: string;
  sessionHash: Buffer;
  isPlatform: boolean;
  call: string;
  query: Record<string, unknown>;
}

/** Claims a waiting export (SKIP LOCKED): of the tenant that has the fewest running, the oldest first. */
export function claimExport(db: Db): Promise<ClaimedExport | null> {
  return db.maybe(sql`
    update list_export set state = 'RUNNING', seen_at = now()
    where (tenant_id, id) = (
      select waiting_export.tenant_id, waiting_export.id from list_export waiting_export where waiting_export.state = 'WAITING'
      order by (select count(*) from list_export where state = 'RUNNING'
        and list_export.tenant_id = waiting_export.tenant_id and ${isAlive}), waiting_export.created_at
      limit 1 for update of waiting_export skip locked)
    returning tenant_id, id, session_hash, is_platform, call, query`);
}

type Named = Pick<ClaimedExport, "tenantId" | "id">;

const running = ({ tenantId, id }: Named) =>
  sql`tenant_id = ${tenantId} and id = ${id} and state = 'RUNNING'`;

export async function renewExports(db: Db, ids: readonly string[]): Promise<void> {
  await db.run(sql`
    update list_export set seen_at = now() where id = any(${ids}::uuid[]) and state = 'RUNNING'`);
}

/** False when the export was ended meanwhile. */
export async function insertChunk(
  db: Db,
  {
    no,
    rows,
    rowCount,
    total,
    ...named
  }: Named & {
    no: number;
    rows: string;
    /** Including the rows of this chunk. */
    rowCount: number;
    total: number;
  },
): Promise<boolean> {
  const inserted = await db.run(sql`
    with wanted as (
      update list_export set total = ${total}, row_count = ${rowCount}, seen_at = now()
      where ${running(named)}
      returning tenant_id, id
    )
    insert into list_export_chunk (tenant_id, export_id, no, rows)
    select tenant_id, id, ${no}, ${rows} from wanted`);
  return inserted === 1;
}

export async function finishExport(db: Db, named: Named, total: number): Promise<void> {
  await db.run(sql`
    update list_export set state = 'READY', total = ${total} where ${running(named)}`);
}

export async function failExport(db: Db, named: Named, failure: ExportFailure): Promise<void> {
  await db.run(sql`
    with failed as (
      update list_export set state = 'FAILED', failure = ${failure} where ${running(named)}
      returning tenant_id, id
    )
    delete from list_export_chunk chunk using failed
    where chunk.tenant_id = failed.tenant_id and chunk.export_id = failed.id`);
}

export async function deleteExpiredExports(db: Db): Promise<void> {
  await db.run(sql`
    delete from list_export where created_at < now() - make_interval(mins => ${EXPIRY_MINUTES})`);
}
