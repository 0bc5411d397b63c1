// Purchased cards in SQL: insert on sale, the list, and the uses of each card.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  CardUse,
  PackageCard,
  PackageDraft,
  packageContract,
} from "@cabinet/contract/money/package/package.contract.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, findSums, pageLimits, type Sums } from "../../../platform/db/page.ts";
import { endUserPhoneSql } from "../../../platform/db/phone.sql.ts";
import { and, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { personPredicate } from "../../organization/store/index.ts";

type CardQuery = Input<typeof packageContract.cards>["query"];
type CardFilters = Input<typeof packageContract.cardSums>["query"];

/** Predicate over `user_package`: not expired and uses left (null = unlimited). */
export const isUsable = sql`user_package.expires_at > now()
  and user_package.uses_left is distinct from 0`;

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
    select end_user.tenant_id, end_user.id, ${offer.id}, ${offer.name}, ${offer.kind}, ${offer.sides}::text[],
      ${offer.priceFen}, ${offer.coverLimitFen}::bigint, ${offer.uses}::int, ${offer.uses}::int,
      now() + make_interval(days => ${offer.validDays ?? 0})
    from end_user
    where end_user.tenant_id = ${tenantId} and end_user.id = ${endUserId} and end_user.deleted_at is null
    returning id`);
  return card?.id ?? null;
}

const cardStates = {
  USED_UP: sql`user_package.uses_left = 0`,
  EXPIRED: sql`user_package.uses_left is distinct from 0 and user_package.expires_at <= now()`,
  ACTIVE: isUsable,
};

function matchingCards(session: Session, query: CardFilters): Sql {
  return and(
    personPredicate(
      session,
      sql`user_package.tenant_id`,
      sql`user_package.end_user_id`,
      query.tenantId,
    ),
    query.side && sql`${query.side} = any(user_package.sides)`,
    query.packageId && sql`user_package.package_id = ${query.packageId}`,
    query.endUserId && sql`user_package.end_user_id = ${query.endUserId}`,
    query.kind && sql`user_package.kind = ${query.kind}`,
    query.state && cardStates[query.state],
    periodSql(sql`user_package.bought_at`, query),
    query.phone &&
      sql`exists (
        select from end_user where end_user.tenant_id = user_package.tenant_id
          and end_user.id = user_package.end_user_id
          and ${endUserPhoneSql(session, query.phone)})`,
  );
}

/** Phone numbers are complete here: the service masks them. */
export function findCardPage(
  db: Db,
  session: Session,
  query: CardQuery,
): Promise<Page<PackageCard>> {
  const matched = sql`from user_package where ${matchingCards(session, query)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select user_package.id, user_package.tenant_id, tenant.name as tenant_name,
        user_package.end_user_id, end_user.name as user_name, end_user.phone,
        user_package.package_id, user_package.name, user_package.kind, user_package.sides,
        user_package.price_fen, user_package.cover_limit_fen, user_package.uses,
        user_package.uses_left, user_package.bought_at, user_package.expires_at,
        case when ${cardStates.USED_UP} then 'USED_UP'
          when user_package.expires_at <= now() then 'EXPIRED'
          else 'ACTIVE' end as state,
        used.times as used_times, used.fen as covered_fen
      from (select user_package.* ${matched} order by user_package.id desc ${pageLimits(query)}) user_package
      join tenant on tenant.id = user_package.tenant_id
      join end_user on end_user.tenant_id = user_package.tenant_id
        and end_user.id = user_package.end_user_id
      cross join lateral (
        select count(*)::int as times, coalesce(sum(fen), 0)::bigint as fen from package_use
        where package_use.tenant_id = user_package.tenant_id
          and package_use.user_package_id = user_package.id) used
      order by user_package.id desc`,
  });
}

export function sumCards(
  db: Db,
  session: Session,
  query: CardFilters,
): Promise<Sums<"priceFen" | "coveredFen">> {
  return findSums(db, {
    columns: ["price_fen", "covered_fen"],
    rows: sql`
      select user_package.price_fen, (
        select sum(fen) from package_use
        where package_use.tenant_id = user_package.tenant_id
          and package_use.user_package_id = user_package.id) as covered_fen
      from user_package where ${matchingCards(session, query)} order by user_package.id desc`,
  });
}

export async function hasCard(db: Db, session: Session, id: number): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from user_package
    where user_package.id = ${id} and ${personPredicate(session, sql`user_package.tenant_id`, sql`user_package.end_user_id`)}`);
  return found !== null;
}

export function findCardUses(
  db: Db,
  session: Session,
  id: number,
  page: { page: number; pageSize: number },
): Promise<Page<CardUse>> {
  const matched = sql`
    from package_use
    join user_package on user_package.tenant_id = package_use.tenant_id
      and user_package.id = package_use.user_package_id
    where user_package.id = ${id} and ${personPredicate(session, sql`user_package.tenant_id`, sql`user_package.end_user_id`)}`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select package_use.order_id, ord.side, cabinet.name as cabinet_name, ord.compartment_no,
        package_use.fen, package_use.used_at
      from (select package_use.* ${matched} order by package_use.order_id desc ${pageLimits(page)}) package_use
      join storage_order ord on ord.tenant_id = package_use.tenant_id
        and ord.id = package_use.order_id
      join cabinet on cabinet.tenant_id = ord.tenant_id and cabinet.id = ord.cabinet_id
      order by package_use.order_id desc`,
  });
}
