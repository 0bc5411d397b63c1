// SQL for SMS credit: the only statements that write accounts, entries and holds.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  SmsAccount,
  SmsCreditEntry,
  SmsRecharge,
  smsCreditContract,
} from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import type { SmsCreditKind } from "@cabinet/contract/messaging/sms/sms-credit.rules.ts";
import type { Actor } from "../../../platform/actor.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, findSums, pageLimits, type Sums } from "../../../platform/db/page.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";

export interface Account {
  balance: number;
  held: number;
}

/** Creates the account if missing, and locks it until the transaction ends. */
export function lockAccount(db: Db, tenantId: number): Promise<Account> {
  return db.one(sql`
    insert into sms_account as account (tenant_id) values (${tenantId})
    on conflict (tenant_id) do update set held = account.held
    returning balance, held`);
}

export interface NewEntry {
  tenantId: number;
  kind: SmsCreditKind;
  /** Signed: negative for use. */
  segments: number;
  bizType: "SMS_RECHARGE" | "SMS_MESSAGE";
  bizId: number;
  /** Segments released from the hold. */
  released?: number;
}

/** The caller holds the account lock. Null when the balance is too low, or the business id was booked before. */
export function insertEntry(
  db: Db,
  { tenantId, kind, segments, bizType, bizId, released = 0 }: NewEntry,
): Promise<{ balanceAfter: number } | null> {
  return db.maybe(sql`
    with changed as (
      update sms_account set balance = balance + ${segments}::bigint,
        held = held - ${released}::bigint
      where tenant_id = ${tenantId}
        and balance + ${segments}::bigint >= held - ${released}::bigint
        and not exists (
          select from sms_credit_entry
          where tenant_id = ${tenantId} and biz_type = ${bizType} and biz_id = ${bizId})
      returning balance
    )
    insert into sms_credit_entry (tenant_id, kind, segments, balance_after, biz_type, biz_id)
    select ${tenantId}::int, ${kind}::text, ${segments}::bigint, balance, ${bizType}::text,
      ${bizId}::bigint
    from changed
    returning balance_after`);
}

export interface MessageKey {
  tenantId: number;
  smsId: number;
}

export interface SmsHold {
  segments: number;
  state: "HELD" | "POSTED" | "RELEASED";
}

export function findHold(db: Db, { tenantId, smsId }: MessageKey): Promise<SmsHold | null> {
  return db.maybe(sql`
    select segments, state from sms_hold where tenant_id = ${tenantId} and sms_id = ${smsId}`);
}

/** Holds the cost of the message; a released hold becomes HELD again. */
export async function writeHold(
  db: Db,
  { tenantId, smsId }: MessageKey,
  segments: number,
): Promise<void> {
  await Promise.all([
    db.run(sql`
      update sms_account set held = held + ${segments}::bigint where tenant_id = ${tenantId}`),
    db.run(sql`
      insert into sms_hold (tenant_id, sms_id, segments) values (${tenantId}, ${smsId}, ${segments})
      on conflict (tenant_id, sms_id) do update
      set state = 'HELD', segments = excluded.segments, created_at = now(), settled_at = null`),
  ]);
}

export async function settleHold(
  db: Db,
  { tenantId, smsId }: MessageKey,
  state: "POSTED" | "RELEASED",
): Promise<void> {
  await db.run(sql`
    update sms_hold set state = ${state}, settled_at = now()
    where tenant_id = ${tenantId} and sms_id = ${smsId}`);
}

export async function freeHeld(db: Db, tenantId: number, segments: number): Promise<void> {
  await db.run(sql`
    update sms_account set held = held - ${segments}::bigint where tenant_id = ${tenantId}`);
}

export interface NewRecharge {
  tenantId: number;
  segments: number;
  amountFen: number;
  reversesId: number | null;
  reason: string;
  actor: Actor;
}

export async function insertRecharge(db: Db, recharge: NewRecharge): Promise<number> {
  const { actor } = recharge;
  const { id } = await db.one<{ id: number }>(sql`
    insert into sms_recharge (tenant_id, segments, amount_fen, reverses_id, reason, actor_id,
      actor_name)
    values (${recharge.tenantId}, ${recharge.segments}, ${recharge.amountFen},
      ${recharge.reversesId}, ${recharge.reason}, ${actor.id}, ${actor.name})
    returning id`);
  return id;
}

export interface ReversibleRecharge {
  tenantId: number;
  tenantName: string;
  segments: number;
  amountFen: number;
  reversesId: number | null;
  isReversed: boolean;
}

export function findRecharge(db: Db, id: number): Promise<ReversibleRecharge | null> {
  return db.maybe(sql`
    select recharge.tenant_id, tenant.name as tenant_name, recharge.segments, recharge.amount_fen,
      recharge.reverses_id,
      exists (
        select from sms_recharge reversal where reversal.tenant_id = recharge.tenant_id
          and reversal.reverses_id = recharge.id
      ) as is_reversed
    from sms_recharge recharge join tenant on tenant.id = recharge.tenant_id
    where recharge.id = ${id}`);
}

const LATELY = sql`now() - interval '30 days'`;

/** Deleted tenants included: their accounts remain readable. */
export function findAccount(
  db: Db,
  session: Session,
  tenantId: number,
): Promise<SmsAccount | null> {
  return db.maybe(sql`
    select tenant.id as tenant_id, tenant.name as tenant_name,
      coalesce(account.balance - account.held, 0) as "left", coalesce(account.held, 0) as held,
      bought.segments as recharged_segments, bought.fen as recharged_fen,
      bought.at as last_recharge_at, used.segments as used_segments, used.lately as used_lately,
      coalesce((
        select sum(sms.segments) from sms_message sms
        where sms.tenant_id = tenant.id and sms.created_at >= ${LATELY}),
        0)::bigint as written_lately
    from tenant
    left join sms_account account on account.tenant_id = tenant.id
    cross join lateral (
      select coalesce(sum(recharge.segments), 0)::bigint as segments,
        coalesce(sum(recharge.amount_fen), 0)::bigint as fen,
        max(recharge.at) filter (where recharge.reverses_id is null and not exists (
          select from sms_recharge reversal where reversal.tenant_id = recharge.tenant_id
            and reversal.reverses_id = recharge.id)) as at
      from sms_recharge recharge where recharge.tenant_id = tenant.id) bought
    cross join lateral (
      select coalesce(-sum(credit_entry.segments), 0)::bigint as segments,
        coalesce(-sum(credit_entry.segments) filter (where credit_entry.at >= ${LATELY}),
          0)::bigint as lately
      from sms_credit_entry credit_entry where credit_entry.tenant_id = tenant.id
        and credit_entry.kind = 'USE') used
    where ${tenantPredicate(session, sql`tenant.id`, tenantId)}`);
}

type RecordQuery = Input<typeof smsCreditContract.records>["query"];
type RecordFilters = Input<typeof smsCreditContract.recordSums>["query"];

function matching(session: Session, query: RecordFilters): Sql {
  const { from, to, kind } = query;
  const conditions = and(
    tenantPredicate(session, sql`recharge.tenant_id`, query.tenantId),
    kind && sql`(recharge.reverses_id is null) = ${kind === "RECHARGE"}::boolean`,
    periodSql(sql`recharge.at`, { from, to }),
  );
  return sql`from sms_recharge recharge where ${conditions}`;
}

/** Newest first. */
export function findRecharges(
  db: Db,
  session: Session,
  query: RecordQuery,
): Promise<Page<SmsRecharge>> {
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select recharge.id, recharge.tenant_id, tenant.name as tenant_name, recharge.at,
        recharge.segments, recharge.amount_fen, credit_entry.balance_after, recharge.reverses_id,
        reversal.id as reversed_by_id, recharge.reason, recharge.actor_name
      from (select recharge.* ${matched} order by recharge.id desc ${pageLimits(query)}) recharge
      join tenant on tenant.id = recharge.tenant_id
      join sms_credit_entry credit_entry on credit_entry.tenant_id = recharge.tenant_id
        and credit_entry.biz_type = 'SMS_RECHARGE'
        and credit_entry.biz_id = recharge.id
      left join sms_recharge reversal on reversal.tenant_id = recharge.tenant_id
        and reversal.reverses_id = recharge.id
      order by recharge.id desc`,
  });
}

/** Reversals are negative and subtract themselves. */
export function sumRecharges(
  db: Db,
  session: Session,
  query: RecordFilters,
): Promise<Sums<"segments" | "amountFen">> {
  return findSums(db, {
    columns: ["segments", "amount_fen"],
    rows: sql`
      select recharge.segments, recharge.amount_fen ${matching(session, query)}
      order by recharge.id desc`,
  });
}

/** Newest first. */
export function findEntries(
  db: Db,
  session: Session,
  query: Input<typeof smsCreditContract.entries>["query"],
): Promise<Page<SmsCreditEntry>> {
  const { from, to, kind } = query;
  const conditions = and(
    tenantPredicate(session, sql`credit_entry.tenant_id`, query.tenantId),
    kind && sql`credit_entry.kind = ${kind}`,
    periodSql(sql`credit_entry.at`, { from, to }),
  );
  const matched = sql`from sms_credit_entry credit_entry where ${conditions}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select credit_entry.id, credit_entry.tenant_id, tenant.name as tenant_name, credit_entry.at,
        credit_entry.kind, credit_entry.segments, credit_entry.balance_after, credit_entry.biz_id,
        sms.scene
      from (select credit_entry.* ${matched} order by credit_entry.id desc ${pageLimits(query)}) credit_entry
      join tenant on tenant.id = credit_entry.tenant_id
      left join sms_message sms on credit_entry.biz_type = 'SMS_MESSAGE'
        and sms.tenant_id = credit_entry.tenant_id
        and sms.id = credit_entry.biz_id
      order by credit_entry.id desc`,
  });
}
