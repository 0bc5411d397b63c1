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
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";

export interface Account {
  balance: number;
  held: number;
}

/** Creates the account if missing, and locks it until the transaction ends. */
export function lockAccount(db: Db, tenantId: number): Promise<Account> {
  return db.one(sql`
    insert into sms_account as a (tenant_id) values (${tenantId})
    on conflict (tenant_id) do update set held = a.held
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
    returning balance_after as "balanceAfter"`);
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
    select r.tenant_id as "tenantId", t.name as "tenantName", r.segments,
      r.amount_fen as "amountFen", r.reverses_id as "reversesId",
      exists (
        select from sms_recharge b where b.tenant_id = r.tenant_id and b.reverses_id = r.id
      ) as "isReversed"
    from sms_recharge r join tenant t on t.id = r.tenant_id
    where r.id = ${id}`);
}

const LATELY = sql`now() - interval '30 days'`;

/** Deleted tenants included: their accounts remain readable. */
export function findAccount(
  db: Db,
  session: Session,
  tenantId: number,
): Promise<SmsAccount | null> {
  return db.maybe(sql`
    select t.id as "tenantId", t.name as "tenantName",
      coalesce(a.balance - a.held, 0) as "left", coalesce(a.held, 0) as held,
      bought.segments as "rechargedSegments", bought.fen as "rechargedFen",
      bought.at as "lastRechargeAt", used.segments as "usedSegments", used.lately as "usedLately",
      coalesce((
        select sum(m.segments) from sms_message m
        where m.tenant_id = t.id and m.created_at >= ${LATELY}), 0)::bigint as "writtenLately"
    from tenant t
    left join sms_account a on a.tenant_id = t.id
    cross join lateral (
      select coalesce(sum(r.segments), 0)::bigint as segments,
        coalesce(sum(r.amount_fen), 0)::bigint as fen,
        max(r.at) filter (where r.reverses_id is null and not exists (
          select from sms_recharge b where b.tenant_id = r.tenant_id and b.reverses_id = r.id)) as at
      from sms_recharge r where r.tenant_id = t.id) bought
    cross join lateral (
      select coalesce(-sum(e.segments), 0)::bigint as segments,
        coalesce(-sum(e.segments) filter (where e.at >= ${LATELY}), 0)::bigint as lately
      from sms_credit_entry e where e.tenant_id = t.id and e.kind = 'USE') used
    where ${tenantPredicate(session, sql`t.id`, tenantId)}`);
}

type RecordQuery = Input<typeof smsCreditContract.records>["query"];

function matching(session: Session, query: RecordQuery): Sql {
  const { from, to, kind } = query;
  const conditions = [tenantPredicate(session, sql`r.tenant_id`, query.tenantId)];
  if (kind) conditions.push(sql`(r.reverses_id is null) = ${kind === "RECHARGE"}::boolean`);
  if (from) conditions.push(sql`r.at >= ${from}`);
  if (to) conditions.push(sql`r.at <= ${to}`);
  return sql`from sms_recharge r where ${join(conditions, " and ")}`;
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
      select r.id, r.tenant_id as "tenantId", t.name as "tenantName", r.at, r.segments,
        r.amount_fen as "amountFen", e.balance_after as "balanceAfter",
        r.reverses_id as "reversesId", b.id as "reversedById", r.reason,
        r.actor_name as "actorName"
      from (select r.* ${matched} order by r.id desc ${pageLimits(query)}) r
      join tenant t on t.id = r.tenant_id
      join sms_credit_entry e on e.tenant_id = r.tenant_id and e.biz_type = 'SMS_RECHARGE'
        and e.biz_id = r.id
      left join sms_recharge b on b.tenant_id = r.tenant_id and b.reverses_id = r.id
      order by r.id desc`,
  });
}

/** Newest first. */
export function findEntries(
  db: Db,
  session: Session,
  query: Input<typeof smsCreditContract.entries>["query"],
): Promise<Page<SmsCreditEntry>> {
  const { from, to, kind } = query;
  const conditions = [tenantPredicate(session, sql`e.tenant_id`, query.tenantId)];
  if (kind) conditions.push(sql`e.kind = ${kind}`);
  if (from) conditions.push(sql`e.at >= ${from}`);
  if (to) conditions.push(sql`e.at <= ${to}`);
  const matched = sql`from sms_credit_entry e where ${join(conditions, " and ")}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select e.id, e.tenant_id as "tenantId", t.name as "tenantName", e.at, e.kind, e.segments,
        e.balance_after as "balanceAfter", e.biz_id as "bizId", m.scene
      from (select e.* ${matched} order by e.id desc ${pageLimits(query)}) e
      join tenant t on t.id = e.tenant_id
      left join sms_message m on e.biz_type = 'SMS_MESSAGE' and m.tenant_id = e.tenant_id
        and m.id = e.biz_id
      order by e.id desc`,
  });
}
