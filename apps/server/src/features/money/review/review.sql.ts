// SQL of four eyes: the savepoint of a rehearsal, requests and their decisions.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { JournalKind } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { Review, reviewContract } from "@cabinet/contract/money/review/review.contract.ts";
import { REVIEW_HOURS, type ReviewState } from "@cabinet/contract/money/review/review.rules.ts";
import { isPlatformStaff, type MoneyReview, type Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, type Sql, sql } from "../../../platform/db/sql.ts";
import { personPredicate } from "../../organization/store/index.ts";

type Query = Input<typeof reviewContract.list>["query"];

export async function beginRehearsal(db: Db): Promise<void> {
  await db.run(sql`savepoint rehearsal`);
}

/** Also gives back the row locks of the rehearsal. */
export async function undoRehearsal(db: Db): Promise<void> {
  await db.run(sql`rollback to savepoint rehearsal`);
}

interface NewRequest {
  tenantId: number;
  call: string;
  permission: string;
  input: { params?: unknown; body?: unknown };
  postings: MoneyReview["postings"];
  reason: string;
}

/** An equal request of the account that still waits is the same one: a press that was repeated. */
export async function keepRequest(
  db: Db,
  { homeTenantId, operatorId, signature }: Session,
  { tenantId, call, permission, input, postings, reason }: NewRequest,
): Promise<number> {
  const [first] = postings;
  const total = (field: "principalFen" | "bonusFen") =>
    postings.reduce((sum, posting) => sum + posting[field], 0);
  const json = { input: JSON.stringify(input), postings: JSON.stringify(postings) };
  // Its own statement: the next one sees what a concurrent request has committed.
  const locked = db.run(sql`select pg_advisory_xact_lock(hashtext('money review'), ${tenantId})`);
  const kept = db.one<{ id: number }>(sql`
    with waiting as (
      select review.id from money_review review
      where review.tenant_id = ${tenantId} and review.requester_id = ${operatorId}
        and review.call = ${call} and review.input = ${json.input}::jsonb
        and ${stateSql} = 'PENDING'
    ), kept as (
      insert into money_review (tenant_id, call, permission, input, postings, kind, end_user_id,
        order_id, principal_fen, bonus_fen, reason, requester_tenant_id, requester_id,
        requester_name, expires_at)
      select ${tenantId}::int, ${call}::text, ${permission}::text, ${json.input}::jsonb,
        ${json.postings}::jsonb, ${first?.kind}::text, ${first?.endUserId}::bigint,
        ${first?.orderId ?? null}::bigint, ${total("principalFen")}::bigint,
        ${total("bonusFen")}::bigint, ${reason}::text, ${homeTenantId}::int, ${operatorId}::bigint,
        ${signature}::text, now() + make_interval(hours => ${REVIEW_HOURS}::int)
      where not exists (select from waiting)
      returning id
    )
    select id from waiting union all select id from kept`);
  const [, { id }] = await Promise.all([locked, kept]);
  return id;
}

const stateSql = sql`
  case when review.state = 'PENDING' and review.expires_at <= now() then 'EXPIRED' else review.state end`;

const ownSql = ({ homeTenantId, operatorId }: Session) =>
  sql`(review.requester_tenant_id = ${homeTenantId} and review.requester_id = ${operatorId})`;

/** The account may do the same to the same person. */
const sharedSql = (session: Session) =>
  and(
    personPredicate(session, sql`review.tenant_id`, sql`review.end_user_id`),
    !isPlatformStaff(session) && sql`review.permission = any(${[...session.permissions]}::text[])`,
  );

const decidableSql = (session: Session) =>
  sql`(${stateSql} = 'PENDING' and not ${ownSql(session)} and ${sharedSql(session)})`;

/** Newest first, with unmasked phones: the service masks them. */
export function findReviews(db: Db, session: Session, query: Query): Promise<Page<Review>> {
  const { state, tenantId } = query;
  const conditions = and(
    sql`(${ownSql(session)} or (${sharedSql(session)}))`,
    tenantId && sql`review.tenant_id = ${tenantId}`,
    state && sql`${stateSql} = ${state}`,
  );
  const matching = sql`from money_review review where ${conditions}`;
  return findPage(db, {
    matching,
    rows: sql`
      select review.id, review.tenant_id, tenant.name as tenant_name, review.kind,
        review.end_user_id, end_user.name as user_name, end_user.phone, review.order_id,
        review.principal_fen, review.bonus_fen, review.reason, ${stateSql} as state,
        review.requester_name, review.requested_at, review.expires_at, review.decider_name,
        review.decided_at, review.decision, ${ownSql(session)} as is_own,
        ${decidableSql(session)} as may_decide
      from (select review.* ${matching} order by review.id desc ${pageLimits(query)}) review
      join tenant on tenant.id = review.tenant_id
      join end_user on end_user.tenant_id = review.tenant_id and end_user.id = review.end_user_id
      order by review.id desc`,
  });
}

export interface ReviewRow {
  tenantId: number;
  id: number;
  call: string;
  permission: string;
  input: { params?: unknown; body?: unknown };
  postings: MoneyReview["postings"];
  kind: JournalKind;
  principalFen: number;
  bonusFen: number;
  requesterTenantId: number;
  requesterId: number;
  requesterName: string;
  state: ReviewState;
}

/** Null unless the account may do the same, or has requested it. */
export function lockReview(db: Db, session: Session, id: number): Promise<ReviewRow | null> {
  return db.maybe(sql`
    select review.tenant_id, review.id, review.call, review.permission, review.input,
      review.postings, review.kind, review.principal_fen, review.bonus_fen,
      review.requester_tenant_id, review.requester_id, review.requester_name, ${stateSql} as state
    from money_review review
    where review.id = ${id} and (${ownSql(session)} or (${sharedSql(session)}))
    for update of review`);
}

/** Whether the requester may still do it, and whether the account is the same person: by account or phone number. */
export function findRequester(
  db: Db,
  { homeTenantId, operatorId }: Session,
  { requesterTenantId, requesterId, permission }: ReviewRow,
): Promise<{ mayStill: boolean; isSamePerson: boolean }> {
  return db.one(sql`
    select may_still, is_same_person
    from review_requester(${requesterTenantId}, ${requesterId}, ${permission}, ${homeTenantId}, ${operatorId})`);
}

export async function decideReview(
  db: Db,
  { operatorId, signature }: Session,
  { tenantId, id }: ReviewRow,
  { state, decision }: { state: ReviewState; decision: string | null },
): Promise<void> {
  await db.run(sql`
    update money_review set state = ${state}, decision = ${decision}, decider_id = ${operatorId},
      decider_name = ${signature}, decided_at = now()
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** For the notification centre: how many wait for this account, and since when the newest does. */
export const waitingStateSql = (session: Session): Sql => sql`
  select 'REVIEW', count(*)::int, '', max(review.requested_at)
  from money_review review where ${decidableSql(session)}
  having count(*) > 0`;

type OwnResult = Pick<
  Review,
  "id" | "kind" | "principalFen" | "bonusFen" | "deciderName" | "state"
> & { at: string };

/** Requests of the account that were decided or have expired in the last three days, newest first. */
export function findOwnResults(db: Db, session: Session, most: number): Promise<OwnResult[]> {
  return db.many(sql`
    select review.id, review.kind, review.principal_fen, review.bonus_fen, review.decider_name,
      ${stateSql} as state, coalesce(review.decided_at, review.expires_at) as at
    from money_review review
    where ${ownSql(session)} and ${stateSql} <> 'PENDING'
      and coalesce(review.decided_at, review.expires_at) > now() - interval '3 days'
    order by coalesce(review.decided_at, review.expires_at) desc limit ${most}`);
}
