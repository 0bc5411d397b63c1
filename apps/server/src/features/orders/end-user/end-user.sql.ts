// End users in the database, for the operators' search, locks and deletion.

import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  EndUser,
  EndUserDetail,
  endUserContract,
} from "@cabinet/contract/orders/end-user/end-user.contract.ts";
import { DELETED_NAME, deletedMark } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { hasGoods, isLive, ORDER_STATES } from "@cabinet/contract/orders/order/order.rules.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, join, raw, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";
import { cabinetPredicate } from "../../fleet/cabinet/index.ts";

export type EndUserQuery = Input<typeof endUserContract.list>["query"];

export interface EndUserKey {
  tenantId: number;
  id: number;
}

/**
 * Literals as in the predicates of the partial indexes on live orders: with a parameter the planner cannot use them.
 */
const isLiveSql = raw(`o.state in (${ORDER_STATES.filter(isLive).map((state) => `'${state}'`)})`);
const goodsStates = ORDER_STATES.filter(hasGoods);

/** Live orders of a person; one with both roles of the same person is counted once. */
const liveOrdersOf = (tenantId: Sql, id: Sql) => sql`(
  select o.id from storage_order o
  where o.tenant_id = ${tenantId} and o.recipient_id = ${id} and ${isLiveSql}
  union
  select o.id from storage_order o
  where o.tenant_id = ${tenantId} and o.rider_id = ${id} and ${isLiveSql})`;

/** The phone is unmasked: the service masks it. An expired lock counts as none. */
const columns = sql`
  u.id, u.tenant_id as "tenantId", t.name as "tenantName", u.name as "userName", u.phone,
  coalesce((
    select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'color', g.color) order by g.name)
    from end_user_tag ug join tag g on g.tenant_id = ug.tenant_id and g.id = ug.tag_id
    where ug.tenant_id = u.tenant_id and ug.end_user_id = u.id), '[]') as tags,
  case when is_locked(u) then 'LOCKED' else 'ACTIVE' end as state,
  case when is_locked(u) then u.lock_reason end as "lockReason",
  case when is_locked(u) then u.locked_at end as "lockedAt",
  case when is_locked(u) then u.locked_until end as "lockedUntil",
  coalesce(w.principal_fen, 0) as "principalFen", coalesce(w.bonus_fen, 0) as "bonusFen",
  coalesce(w.held_principal_fen + w.held_bonus_fen, 0) as "heldFen", (
    select count(*)::int from ${liveOrdersOf(sql`u.tenant_id`, sql`u.id`)} l) as "liveOrders",
  u.created_at as "createdAt", u.last_seen_at as "lastSeenAt"`;

const joins = sql`
  join tenant t on t.id = u.tenant_id
  left join wallet w on w.tenant_id = u.tenant_id and w.end_user_id = u.id`;

const isThere = (session: Session, requestedTenantId?: number) =>
  sql`u.deleted_at is null and ${tenantPredicate(session, sql`u.tenant_id`, requestedTenantId)}`;

const sortColumns = {
  balance: sql`coalesce(w.principal_fen + w.bonus_fen, 0)`,
  lastSeenAt: sql`u.last_seen_at`,
};
const directions = { asc: sql`asc`, desc: sql`desc nulls last` };

function matching(session: Session, query: EndUserQuery): Sql {
  const conditions = [isThere(session, query.tenantId)];
  const name = query.name?.trim();
  if (query.phone) conditions.push(phoneSql(sql`u.phone`, query.phone));
  if (name) conditions.push(sql`strpos(u.name, ${name}) > 0`);
  if (query.state) {
    conditions.push(query.state === "LOCKED" ? sql`is_locked(u)` : sql`not is_locked(u)`);
  }
  if (query.tagId) {
    conditions.push(sql`exists (
      select from end_user_tag ug
      where ug.tenant_id = u.tenant_id and ug.end_user_id = u.id and ug.tag_id = ${query.tagId})`);
  }
  if (query.hasBalance !== undefined) {
    conditions.push(
      sql`(coalesce(w.principal_fen + w.bonus_fen, 0) > 0) = ${query.hasBalance}::boolean`,
    );
  }
  if (query.hasGoods !== undefined) {
    const isAmong = sql`(u.tenant_id, u.id) in (
      select o.tenant_id, person.id
      from live_order l
      join storage_order o on o.tenant_id = l.tenant_id and o.id = l.order_id
        and o.state = any(${goodsStates}::text[])
      cross join lateral (values (o.recipient_id), (o.rider_id)) person (id)
      where ${tenantPredicate(session, sql`l.tenant_id`, query.tenantId)}
        and person.id is not null)`;
    conditions.push(query.hasGoods ? isAmong : sql`not ${isAmong}`);
  }
  if (query.endUserId) conditions.push(sql`u.id = ${query.endUserId}`);
  if (query.from) conditions.push(sql`u.created_at >= ${query.from}`);
  if (query.to) conditions.push(sql`u.created_at <= ${query.to}`);
  return sql`
    from end_user u left join wallet w on w.tenant_id = u.tenant_id and w.end_user_id = u.id
    where ${join(conditions, " and ")}`;
}

/** Newest first by default; the page is found first, and only its rows are read in full. */
export function findEndUsers(
  db: Db,
  session: Session,
  query: EndUserQuery,
): Promise<Page<EndUser>> {
  const { sort, order = "desc" } = query;
  const by = sort ? sql`${sortColumns[sort]} ${directions[order]}, u.id desc` : sql`u.id desc`;
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select u.tenant_id, u.id ${matched} order by ${by} ${pageLimits(query)}) found
      join end_user u on u.tenant_id = found.tenant_id and u.id = found.id ${joins}
      order by ${by}`,
  });
}

type DetailRow = Omit<EndUserDetail, "orders" | "locks" | "leftovers">;

/** Null when there is none, or none that this account may see. */
export function findEndUser(db: Db, session: Session, id: number): Promise<DetailRow | null> {
  return db.maybe(sql`
    select ${columns}, exists (
      select from mini_program_user m
      where m.tenant_id = u.tenant_id and m.end_user_id = u.id) as "isWechatBound"
    from end_user u ${joins}
    where u.id = ${id} and ${isThere(session)}`);
}

/** Maximum that the drawer shows; the order list shows them all. */
const SHOWN = 20;

export function findLiveOrdersOf(
  db: Db,
  session: Session,
  { tenantId, id }: EndUserKey,
): Promise<EndUserDetail["orders"]> {
  return db.many(sql`
    select o.id, o.side, o.state, o.rider_id is not distinct from ${id}::bigint as "isRider",
      c.name as "cabinetName", o.compartment_no as "compartmentNo", o.stored_at as "storedAt"
    from ${liveOrdersOf(sql`${tenantId}`, sql`${id}`)} l
    join storage_order o on o.tenant_id = ${tenantId} and o.id = l.id
    join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
    where ${cabinetPredicate(session, sql`c`)}
    order by o.id desc limit ${SHOWN}`);
}

export function findLocks(db: Db, { tenantId, id }: EndUserKey): Promise<EndUserDetail["locks"]> {
  return db.many(sql`
    select l.id, l.at, l.is_lock as "isLock", l.reason, l.locked_until as "lockedUntil",
      l.actor_name as "actorName"
    from end_user_lock l
    where l.tenant_id = ${tenantId} and l.end_user_id = ${id}
    order by l.id desc limit ${SHOWN}`);
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
    select u.id, u.tenant_id as "tenantId", u.name as "userName", u.phone,
      is_locked(u) as "isLocked", case when is_locked(u) then u.lock_reason end as "lockReason",
      case when is_locked(u) then u.locked_until end as "lockedUntil"
    from end_user u where u.id = ${id} and ${isThere(session)}
    for update of u`);
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
 * Erases the identity everywhere except in the texts of the audit log; orders, journals and messages stay, anonymous.
 * The caller has checked that nothing is left: see `findLeftovers`.
 */
export async function forgetEndUser(db: Db, { tenantId, id, phone }: EndUserRow): Promise<void> {
  const ofUser = sql`tenant_id = ${tenantId} and end_user_id = ${id}`;
  const ofPhone = sql`tenant_id = ${tenantId} and phone = ${phone}`;
  await Promise.all([
    db.run(sql`delete from app_session where ${ofUser}`),
    db.run(sql`delete from mini_program_user where ${ofUser}`),
    db.run(sql`delete from end_user_tag where ${ofUser}`),
    db.run(sql`delete from sign_in_code where ${ofPhone}`),
    db.run(sql`update top_up set openid = null where ${ofUser} and openid is not null`),
    db.run(sql`
      update sms_message set phone = '', sealed_text = '', sealed_carrier = null where ${ofPhone}`),
    // A subscribe message in delivery also holds the phone, for the text message as a fallback.
    db.run(sql`
      update subscribe_message set sealed_content = '' where ${ofUser} and sealed_content <> ''`),
    db.run(sql`delete from subscribe_allowance where ${ofUser}`),
    db.run(sql`
      update end_user set phone = ${deletedMark(id)}, name = ${DELETED_NAME}, state = 'ACTIVE',
        locked_at = null, locked_until = null, lock_reason = null, last_seen_at = null,
        deleted_at = now()
      where tenant_id = ${tenantId} and id = ${id}`),
  ]);
}
