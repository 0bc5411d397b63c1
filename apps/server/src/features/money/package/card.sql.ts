// Purchased cards in SQL: insert on sale, the list, and the uses of each card.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  CardUse,
  PackageCard,
  PackageDraft,
  packageContract,
} from "@cabinet/contract/money/package/package.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";

type CardQuery = Input<typeof packageContract.cards>["query"];

/** Predicate over `user_package u`: not expired and uses left (null = unlimited). */
export const isUsable = sql`u.expires_at > now() and u.uses_left is distinct from 0`;

/** The purchase journal refers to the card; null when the tenant has no such end user. */
export async function insertCard(
  db: Db,
  tenantId: number,
  endUserId: number,
  offer: PackageDraft & { id: number },
): Promise<number | null> {
  const card = await db.maybe<{ id: number }>(sql`
    insert into user_package (tenant_id, end_user_id, package_id, name, kind, sides, price_fen,
      cover_limit_fen, uses, uses_left, expires_at)
    select e.tenant_id, e.id, ${offer.id}, ${offer.name}, ${offer.kind}, ${offer.sides}::text[],
      ${offer.priceFen}, ${offer.coverLimitFen}::bigint, ${offer.uses}::int, ${offer.uses}::int,
      now() + make_interval(days => ${offer.validDays ?? 0})
    from end_user e
    where e.tenant_id = ${tenantId} and e.id = ${endUserId} and e.deleted_at is null
    returning id`);
  return card?.id ?? null;
}

const cardStates = {
  USED_UP: sql`u.uses_left = 0`,
  EXPIRED: sql`u.uses_left is distinct from 0 and u.expires_at <= now()`,
  ACTIVE: isUsable,
};

function matchingCards(session: Session, query: CardQuery): Sql {
  const conditions = [tenantPredicate(session, sql`u.tenant_id`, query.tenantId)];
  if (query.side) conditions.push(sql`${query.side} = any(u.sides)`);
  if (query.packageId) conditions.push(sql`u.package_id = ${query.packageId}`);
  if (query.endUserId) conditions.push(sql`u.end_user_id = ${query.endUserId}`);
  if (query.kind) conditions.push(sql`u.kind = ${query.kind}`);
  if (query.state) conditions.push(cardStates[query.state]);
  if (query.from) conditions.push(sql`u.bought_at >= ${query.from}`);
  if (query.to) conditions.push(sql`u.bought_at < ${query.to}`);
  if (query.phone) {
    conditions.push(sql`exists (
      select from end_user e where e.tenant_id = u.tenant_id and e.id = u.end_user_id
        and ${phoneSql(sql`e.phone`, query.phone)})`);
  }
  return join(conditions, " and ");
}

/** Phone numbers are complete here: the service masks them. */
export function findCardPage(
  db: Db,
  session: Session,
  query: CardQuery,
): Promise<Page<PackageCard>> {
  const matched = sql`from user_package u where ${matchingCards(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select u.id, u.tenant_id as "tenantId", t.name as "tenantName",
        u.end_user_id as "endUserId", e.name as "userName", e.phone, u.package_id as "packageId",
        u.name, u.kind, u.sides, u.price_fen as "priceFen", u.cover_limit_fen as "coverLimitFen",
        u.uses, u.uses_left as "usesLeft", u.bought_at as "boughtAt", u.expires_at as "expiresAt",
        case when ${cardStates.USED_UP} then 'USED_UP' when u.expires_at <= now() then 'EXPIRED'
          else 'ACTIVE' end as state,
        n.times as "usedTimes", n.fen as "coveredFen"
      from (select u.* ${matched} order by u.id desc ${pageLimits(query)}) u
      join tenant t on t.id = u.tenant_id
      join end_user e on e.tenant_id = u.tenant_id and e.id = u.end_user_id
      cross join lateral (
        select count(*)::int as times, coalesce(sum(fen), 0)::bigint as fen from package_use x
        where x.tenant_id = u.tenant_id and x.user_package_id = u.id) n
      order by u.id desc`,
  });
}

export async function hasCard(db: Db, session: Session, id: number): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from user_package u
    where u.id = ${id} and ${tenantPredicate(session, sql`u.tenant_id`)}`);
  return found !== null;
}

export function findCardUses(
  db: Db,
  session: Session,
  id: number,
  page: { page: number; pageSize: number },
): Promise<Page<CardUse>> {
  const matched = sql`
    from package_use x
    join user_package u on u.tenant_id = x.tenant_id and u.id = x.user_package_id
    where u.id = ${id} and ${tenantPredicate(session, sql`u.tenant_id`)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select x.order_id as "orderId", o.side, c.name as "cabinetName",
        o.compartment_no as "compartmentNo", x.fen, x.used_at as "usedAt"
      from (select x.* ${matched} order by x.order_id desc ${pageLimits(page)}) x
      join storage_order o on o.tenant_id = x.tenant_id and o.id = x.order_id
      join cabinet c on c.tenant_id = o.tenant_id and c.id = o.cabinet_id
      order by x.order_id desc`,
  });
}
