// End users in the database, for the operators' search, locks and deletion.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  EndUser,
  EndUserDetail,
  endUserContract,
  PersonOrder,
} from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { DELETED_NAME, deletedMark } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { hasGoods, isLive } from "@cabinet/contract/orders/order/order.rules.ts";
import { ORDER_STATES } from "@cabinet/contract/vocabulary/order.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { endUserPhoneSql } from "../../../platform/db/phone.sql.ts";
import { and, periodSql, raw, type Sql, sql } from "../../../platform/db/sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";
import { forgetOpener } from "../../fleet/command/index.ts";
import { forgetSmsOf } from "../../messaging/sms/index.ts";
import { forgetSubscriber } from "../../messaging/template/index.ts";
import { forgetJournalActor } from "../../money/ledger/index.ts";
import { forgetPayer } from "../../money/payment/index.ts";
import { forgetReporter } from "../../operations/malfunction/index.ts";
import { personPredicate } from "../../organization/store/index.ts";
import { dueBeforeSql } from "../../organization/tenant-setting/index.ts";
import { findOrderIdsOf, forgetOnOrders } from "../order/index.ts";

export type EndUserQuery = Input<typeof endUserContract.list>["query"];

export interface EndUserKey {
  tenantId: number;
  id: number;
}

/**
 * Literals as in the predicates of the partial indexes on live orders: with a parameter the planner cannot use them.
 */
const isLiveSql = raw(`ord.state in (${ORDER_STATES.filter(isLive).map((state) => `'${state}'`)})`);
const goodsStates = ORDER_STATES.filter(hasGoods);

/** Live orders of a person; one with both roles of the same person is counted once. */
const liveOrdersOf = (tenantId: Sql, id: Sql) => sql`(
  select ord.id from storage_order ord
  where ord.tenant_id = ${tenantId} and ord.recipient_id = ${id} and ${isLiveSql}
  union
  select ord.id from storage_order ord
  where ord.tenant_id = ${tenantId} and ord.rider_id = ${id} and ${isLiveSql})`;

/** The phone is unmasked: the service masks it. An expired lock counts as none. */
const columns = sql`
  end_user.id, end_user.tenant_id, tenant.name as tenant_name, end_user.name as user_name,
  end_user.phone,
  coalesce((
    select jsonb_agg(jsonb_build_object('id', tag.id, 'name', tag.name, 'color', tag.color)
      order by tag.name)
    from end_user_tag user_tag join tag on tag.tenant_id = user_tag.tenant_id
      and tag.id = user_tag.tag_id
    where user_tag.tenant_id = end_user.tenant_id and user_tag.end_user_id = end_user.id),
    '[]') as tags,
  case when is_locked(end_user) then 'LOCKED' else 'ACTIVE' end as state,
  case when is_locked(end_user) then end_user.lock_reason end as lock_reason,
  case when is_locked(end_user) then end_user.locked_at end as locked_at,
  case when is_locked(end_user) then end_user.locked_until end as locked_until,
  coalesce(wallet.principal_fen, 0) as principal_fen, coalesce(wallet.bonus_fen, 0) as bonus_fen,
  coalesce(wallet.held_principal_fen + wallet.held_bonus_fen, 0) as held_fen, (
    select count(*)::int from ${liveOrdersOf(sql`end_user.tenant_id`, sql`end_user.id`)} live_order) as live_orders,
  end_user.created_at, end_user.last_seen_at`;

const joins = sql`
  join tenant on tenant.id = end_user.tenant_id
  left join wallet on wallet.tenant_id = end_user.tenant_id and wallet.end_user_id = end_user.id`;

const isThere = (session: Session, requestedTenantId?: number) =>
  sql`end_user.deleted_at is null and ${personPredicate(session, sql`end_user.tenant_id`, sql`end_user.id`, requestedTenantId)}`;

const sortColumns = {
  balance: sql`coalesce(wallet.principal_fen + wallet.bonus_fen, 0)`,
  lastSeenAt: sql`end_user.last_seen_at`,
};
const directions = { asc: sql`asc`, desc: sql`desc nulls last` };

function matching(session: Session, query: EndUserQuery): Sql {
  const name = query.name?.trim();
  const hasGoods = sql`(end_user.tenant_id, end_user.id) in (
    select ord.tenant_id, person.id
    from live_order
    join storage_order ord on ord.tenant_id = live_order.tenant_id
      and ord.id = live_order.order_id
      and ord.state = any(${goodsStates}::text[])
    cross join lateral (values (ord.recipient_id), (ord.rider_id)) person (id)
    where ${tenantPredicate(session, sql`live_order.tenant_id`, query.tenantId)}
      and person.id is not null)`;
  const conditions = and(
    isThere(session, query.tenantId),
    query.phone && endUserPhoneSql(session, query.phone),
    name && sql`strpos(end_user.name, ${name}) > 0`,
    query.state &&
      { LOCKED: sql`is_locked(end_user)`, ACTIVE: sql`not is_locked(end_user)` }[query.state],
    query.tagId &&
      sql`exists (
        select from end_user_tag user_tag
        where user_tag.tenant_id = end_user.tenant_id and user_tag.end_user_id = end_user.id
          and user_tag.tag_id = ${query.tagId})`,
    query.hasBalance !== undefined &&
      sql`(coalesce(wallet.principal_fen + wallet.bonus_fen, 0) > 0)
        = ${query.hasBalance}::boolean`,
    query.hasGoods !== undefined && (query.hasGoods ? hasGoods : sql`not ${hasGoods}`),
    query.endUserId && sql`end_user.id = ${query.endUserId}`,
    periodSql(sql`end_user.created_at`, query),
  );
  return sql`
    from end_user left join wallet on wallet.tenant_id = end_user.tenant_id
      and wallet.end_user_id = end_user.id
    where ${conditions}`;
}

/** Newest first by default; the page is found first, and only its rows are read in full. */
export function findEndUsers(
  db: Db,
  session: Session,
  query: EndUserQuery,
): Promise<Page<EndUser>> {
  const { sort, order = "desc" } = query;
  const by = sort
    ? sql`${sortColumns[sort]} ${directions[order]}, end_user.id desc`
    : sql`end_user.id desc`;
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select end_user.tenant_id, end_user.id ${matched} order by ${by} ${pageLimits(query)}) found
      join end_user on end_user.tenant_id = found.tenant_id and end_user.id = found.id ${joins}
      order by ${by}`,
  });
}

type DetailRow = Omit<
  EndUserDetail,
  "orders" | "recentOrders" | "notes" | "locks" | "leftovers" | "legal"
>;

/** Null when there is none, or none that this account may see. */
export function findEndUser(db: Db, session: Session, id: number): Promise<DetailRow | null> {
  return db.maybe(sql`
    select ${columns}, exists (
      select from mini_program_user wechat_user
      where wechat_user.tenant_id = end_user.tenant_id
        and wechat_user.end_user_id = end_user.id) as is_wechat_bound
    from end_user ${joins}
    where end_user.id = ${id} and ${isThere(session)}`);
}

/** Maximum that the drawer shows; the order list shows them all. */
const SHOWN = 20;
const LAST = 5;

/** Finished orders of a person, the newest of each role. */
const lastOrdersOf = (tenantId: Sql, id: Sql) => {
  const ofRole = (role: Sql) => sql`(
    select ord.id from storage_order ord
    where ord.tenant_id = ${tenantId} and ${role} = ${id} and not ${isLiveSql}
    order by ord.id desc limit ${SHOWN})`;
  return sql`(${ofRole(sql`ord.recipient_id`)} union ${ofRole(sql`ord.rider_id`)})`;
};

export function findOrdersOf(
  db: Db,
  session: Session,
  { tenantId, id }: EndUserKey,
  which: "live" | "last",
): Promise<PersonOrder[]> {
  const of = which === "live" ? liveOrdersOf : lastOrdersOf;
  return db.many(sql`
    select ord.id, ord.side, ord.state, ord.rider_id is not distinct from ${id}::bigint as is_rider,
      cabinet.name as cabinet_name, ord.compartment_no, ord.stored_at, ord.ended_at
    from ${of(sql`${tenantId}::int`, sql`${id}::bigint`)} found
    join storage_order ord on ord.tenant_id = ${tenantId} and ord.id = found.id
    join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
    where ${cabinetPredicate(session, sql`cabinet`)}
    order by ord.id desc limit ${which === "live" ? SHOWN : LAST}`);
}

export function findLocks(db: Db, { tenantId, id }: EndUserKey): Promise<EndUserDetail["locks"]> {
  return db.many(sql`
    select user_lock.id, user_lock.at, user_lock.is_lock, user_lock.reason, user_lock.locked_until,
      user_lock.actor_name
    from end_user_lock user_lock
    where user_lock.tenant_id = ${tenantId} and user_lock.end_user_id = ${id}
    order by user_lock.id desc limit ${SHOWN}`);
}

export interface EndUserRow extends EndUserKey {
  userName: string;
  phone: string;
  isLocked: boolean;
  lockReason: string | null;
  lockedUntil: string | null;
}

/** Locks the row until the transaction ends: nobody can begin anything new for this person meanwhile. */
export function lockEndUser(db: Db, session: Session, id: number): Promise<EndUserRow | null> {
  return db.maybe(sql`
    select end_user.id, end_user.tenant_id, end_user.name as user_name, end_user.phone,
      is_locked(end_user) as is_locked, case
        when is_locked(end_user) then end_user.lock_reason end as lock_reason,
      case when is_locked(end_user) then end_user.locked_until end as locked_until
    from end_user where end_user.id = ${id} and ${isThere(session)}
    for update of end_user`);
}

/** Locks the row of a person who is not deleted. */
export function lockPerson(
  db: Db,
  { tenantId, id }: EndUserKey,
): Promise<(EndUserKey & { phone: string }) | null> {
  return db.maybe(sql`
    select end_user.tenant_id, end_user.id, end_user.phone from end_user
    where end_user.tenant_id = ${tenantId} and end_user.id = ${id}
      and end_user.deleted_at is null for update of end_user`);
}

export interface LockChange {
  isLock: boolean;
  reason: string;
  until: string | null;
  actorName: string;
}

export async function saveLock(
  db: Db,
  { tenantId, id }: EndUserKey,
  { isLock, reason, until, actorName }: LockChange,
): Promise<void> {
  await db.run(
    isLock
      ? sql`update end_user set state = 'LOCKED', locked_at = now(), lock_reason = ${reason},
          locked_until = ${until}::timestamptz
        where tenant_id = ${tenantId} and id = ${id}`
      : sql`update end_user set state = 'ACTIVE', locked_at = null, lock_reason = null,
          locked_until = null
        where tenant_id = ${tenantId} and id = ${id}`,
  );
  await db.run(sql`
    insert into end_user_lock (tenant_id, end_user_id, is_lock, reason, locked_until, actor_name)
    values (${tenantId}, ${id}, ${isLock}, ${reason}, ${until}::timestamptz, ${actorName})`);
}

/**
 * Not seen for as long as the tenant keeps people, in the app or by an order; a lock keeps its person known. Deleted people
 * are due once more: requests that were under way, and earlier releases, may have left traces.
 */
const isDue = (() => {
  const dueBefore = dueBeforeSql("keepPeopleDays", sql`end_user.tenant_id`);
  return sql`case when end_user.deleted_at is not null then not end_user.is_erased
    else not is_locked(end_user)
      and greatest(end_user.created_at, end_user.last_seen_at) < ${dueBefore}
      and not exists (
        select from storage_order ord where ord.tenant_id = end_user.tenant_id
          and ord.recipient_id = end_user.id and ord.id >= first_order_id(${dueBefore}))
      and not exists (
        select from storage_order ord where ord.tenant_id = end_user.tenant_id
          and ord.rider_id = end_user.id and ord.id >= first_order_id(${dueBefore})) end`;
})();

export function findDue(
  db: Db,
  afterId: number,
  limit: number,
): Promise<(EndUserKey & { isDeleted: boolean })[]> {
  return db.many(sql`
    select end_user.tenant_id, end_user.id, end_user.deleted_at is not null as is_deleted
    from end_user
    where end_user.id > ${afterId} and ${isDue} order by end_user.id limit ${limit}`);
}

/** Locks the row; null when the person has come back, or is forgotten. */
export function lockDue(
  db: Db,
  { tenantId, id }: EndUserKey,
): Promise<(EndUserKey & { phone: string }) | null> {
  return db.maybe(sql`
    select end_user.tenant_id, end_user.id, end_user.phone from end_user
    where end_user.tenant_id = ${tenantId} and end_user.id = ${id} and ${isDue}
    for update of end_user`);
}

/** Orders that one transaction treats: with their events and openings, locked for a second or two. */
export const ORDERS_AT_ONCE = 2_000;

const personOf = ({ tenantId, id }: EndUserKey) => ({
  tenantId,
  endUserId: id,
  name: DELETED_NAME,
});

export async function forgetOrders(
  db: Db,
  key: EndUserKey,
  orderIds: readonly number[],
): Promise<void> {
  const person = personOf(key);
  await Promise.all([
    forgetOnOrders(db, person, orderIds),
    forgetOpener(db, person, orderIds),
    forgetJournalActor(db, person, orderIds),
  ]);
}

/**
 * Erases the identity, and texts about the person or by them, everywhere except in the audit log and the reasons of orders
 * and money (0095); orders, journals and messages stay, anonymous. A second call erases what the first has missed. Erases
 * on the newest `ORDERS_AT_ONCE` orders; the nightly job does the others. The caller has checked that the person has no
 * goods, money or debts: see `findLeftovers`.
 */
export async function forgetEndUser(
  db: Db,
  { tenantId, id, phone }: EndUserKey & { phone: string },
): Promise<void> {
  const ofUser = sql`tenant_id = ${tenantId} and end_user_id = ${id}`;
  const ofPhone = sql`tenant_id = ${tenantId} and phone = ${phone}`;
  const person = personOf({ tenantId, id });
  const orderIds = await findOrderIdsOf(db, person);
  await Promise.all([
    forgetOrders(db, { tenantId, id }, orderIds.slice(0, ORDERS_AT_ONCE)),
    db.run(sql`delete from app_session where ${ofUser}`),
    db.run(sql`delete from mini_program_user where ${ofUser}`),
    db.run(sql`delete from end_user_tag where ${ofUser}`),
    db.run(sql`delete from end_user_note where ${ofUser}`),
    db.run(sql`delete from end_user_lock where ${ofUser}`),
    db.run(sql`delete from sign_in_code where ${ofPhone}`),
    db.run(sql`delete from sign_in_request where ${ofPhone}`),
    forgetPayer(db, person),
    forgetReporter(db, person),
    forgetSmsOf(db, { tenantId, phone }),
    forgetSubscriber(db, { tenantId, endUserId: id }),
    db.run(sql`
      update end_user set phone = ${deletedMark(id)}, name = ${DELETED_NAME}, state = 'ACTIVE',
        locked_at = null, locked_until = null, lock_reason = null, last_seen_at = null,
        deleted_at = coalesce(deleted_at, now()), is_erased = deleted_at is not null
      where tenant_id = ${tenantId} and id = ${id}`),
  ]);
}
