// Reconciliation runs in SQL.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  ReconciliationRun,
  reconciliationContract,
} from "@cabinet/contract/money/reconciliation/reconciliation.contract.ts";
import type { BillState } from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import type { Actor } from "../../../platform/actor.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { todaySql } from "../../../platform/db/shanghai.sql.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { MoneyKey } from "./payment.queue.ts";

type Query = Input<typeof reconciliationContract.runs>["query"];

export function findRuns(db: Db, session: Session, query: Query): Promise<Page<ReconciliationRun>> {
  const where = tenantPredicate(session, sql`run.tenant_id`, query.tenantId);
  return findPage(db, {
    matching: sql`from reconciliation_run run where ${where}`,
    rows: sql`
      select run.id, run.tenant_id, tenant.name as tenant_name, run.day::text as day, run.state,
        run.bill_state, run.actor_name, run.started_at, run.ended_at, run.problem, run.orders,
        run.journals, run.wallets, run.cards, run.top_ups, run.bill_rows, run.found, run.known
      from reconciliation_run run join tenant on tenant.id = run.tenant_id
      where ${where} order by run.id desc ${pageLimits(query)}`,
  });
}

/** Null while another run of this day is queued or running. */
export async function insertRun(
  db: Db,
  { tenantId, day, actor }: { tenantId: number; day: string; actor: Actor },
): Promise<number | null> {
  const row = await db.maybe<{ id: number }>(sql`
    insert into reconciliation_run (tenant_id, day, actor_id, actor_name)
    select ${tenantId}::int, ${day}::date, ${actor.id}::bigint, ${actor.name}::text
    where not exists (
      select from reconciliation_run
      where tenant_id = ${tenantId} and day = ${day}::date and state in ('QUEUED', 'RUNNING'))
    returning id`);
  return row?.id ?? null;
}

/** Advisory lock per tenant: concurrent requests for a run wait for each other. */
export async function lockRuns(db: Db, tenantId: number): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('reconciliation run'), ${tenantId})`);
}

/** Queued runs, and running ones whose worker died. */
export function findQueuedRuns(db: Db): Promise<MoneyKey[]> {
  return db.many(sql`
    select tenant_id, id from reconciliation_run where state in ('QUEUED', 'RUNNING') order by id`);
}

export interface RunRow extends MoneyKey {
  day: string;
  /** Bounds of the day in Asia/Shanghai. */
  from: string;
  to: string;
}

export function beginRun(db: Db, { tenantId, id }: MoneyKey): Promise<RunRow | null> {
  return db.maybe(sql`
    update reconciliation_run set state = 'RUNNING', started_at = now(), found = 0, known = 0
    where tenant_id = ${tenantId} and id = ${id} and state in ('QUEUED', 'RUNNING')
    returning tenant_id, id, day::text as day,
      day::timestamp at time zone 'Asia/Shanghai' as "from",
      (day + 1)::timestamp at time zone 'Asia/Shanghai' as "to"`);
}

export interface RunOutcome {
  billState: BillState;
  problem: string | null;
  orders: number;
  journals: number;
  wallets: number;
  cards: number;
  topUps: number;
  billRows: number;
  found: number;
  known: number;
}

export async function endRun(
  db: Db,
  { tenantId, id }: MoneyKey,
  outcome: RunOutcome,
): Promise<void> {
  await db.run(sql`
    update reconciliation_run set state = 'DONE', ended_at = now(),
      bill_state = ${outcome.billState}, problem = ${outcome.problem}, orders = ${outcome.orders},
      journals = ${outcome.journals}, wallets = ${outcome.wallets}, cards = ${outcome.cards}, top_ups = ${outcome.topUps},
      bill_rows = ${outcome.billRows}, found = ${outcome.found},
      known = ${outcome.known}
    where tenant_id = ${tenantId} and id = ${id}`);
}

export async function failRun(db: Db, { tenantId, id }: MoneyKey, problem: string): Promise<void> {
  await db.run(sql`
    update reconciliation_run set state = 'FAILED', ended_at = now(), problem = ${problem}
    where tenant_id = ${tenantId} and id = ${id}`);
}

export function findAllTenants(db: Db): Promise<number[]> {
  return db
    .many<{ id: number }>(sql`select id from tenant where state <> 'DELETED' order by id`)
    .then((rows) => rows.map(({ id }) => id));
}

/** Tenants whose newest run of yesterday had no bill yet. */
export async function findWaitingTenants(db: Db): Promise<number[]> {
  const rows = await db.many<{ tenantId: number }>(sql`
    select tenant_id from (
      select distinct on (tenant_id) tenant_id, bill_state from reconciliation_run
      where day = ${todaySql} - 1
      order by tenant_id, id desc) newest
    where bill_state in ('WAITING', 'FAILED') order by tenant_id`);
  return rows.map(({ tenantId }) => tenantId);
}

/** Days in Asia/Shanghai: today, yesterday, and the earliest that a run accepts. */
export function findDays(db: Db): Promise<{ today: string; yesterday: string; first: string }> {
  return db.one(sql`
    select today::text, (today - 1)::text as yesterday, (today - 365)::text as first
    from (select ${todaySql} as today) clock`);
}
