// Packages in the database: what is sold, and the cards that were.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  CardUse,
  Package,
  PackageCard,
  PackageDraft,
  packageContract,
} from "@cabinet/contract/package/package.contract.ts";
import { isPlatformStaff, type Session, tenantPredicate } from "../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../platform/db.ts";
import { findPage, pageLimits } from "../../platform/page.ts";
import { phoneSql } from "../../platform/phone.sql.ts";

type PackageQuery = Input<typeof packageContract.list>["query"];
type CardQuery = Input<typeof packageContract.cards>["query"];

const contains = (words: string) => `%${words.replace(/[\\%_]/g, "\\$&")}%`;

const isUsable = sql`u.expires_at > now() and u.uses_left is distinct from 0`;

const columns = sql`
  p.id, p.tenant_id as "tenantId", t.name as "tenantName", p.name, p.kind, p.sides,
  p.price_fen as "priceFen", p.bonus_fen as "bonusFen", p.uses, p.valid_days as "validDays",
  p.cover_limit_fen as "coverLimitFen", p.remark, p.is_on_sale as "isOnSale", n.sold, n.held,
  p.edit_version as "editVersion", p.edited_at as "editedAt", p.edited_by as "editedBy"`;

const joins = sql`
  join tenant t on t.id = p.tenant_id
  cross join lateral (
    select count(*)::int as sold, (count(*) filter (where ${isUsable}))::int as held
    from user_package u where u.tenant_id = p.tenant_id and u.package_id = p.id) n`;

const sortColumns = { name: sql`p.name`, price: sql`p.price_fen`, edited: sql`p.edited_at` };
const directions = { asc: sql`asc`, desc: sql`desc` };

function matching(session: Session, query: PackageQuery): Sql {
  const conditions = [
    tenantPredicate(session, sql`p.tenant_id`, query.tenantId),
    sql`p.deleted_at is null`,
  ];
  if (query.side) conditions.push(sql`${query.side} = any(p.sides)`);
  if (query.kind) conditions.push(sql`p.kind = ${query.kind}`);
  if (query.isOnSale !== undefined) conditions.push(sql`p.is_on_sale = ${query.isOnSale}`);
  const keyword = query.keyword?.trim();
  if (keyword) {
    const pattern = contains(keyword);
    conditions.push(sql`(p.name ilike ${pattern} or p.remark ilike ${pattern})`);
  }
  return join(conditions, " and ");
}

export function findPackages(
  db: Db,
  session: Session,
  query: PackageQuery,
): Promise<Page<Package>> {
  const { sort, order = "asc" } = query;
  const matched = sql`from package p where ${matching(session, query)}`;
  const by = sort
    ? sql`${sortColumns[sort]} ${directions[order]}, p.id desc`
    : sql`p.is_on_sale desc, p.id desc`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select p.* ${matched} order by ${by} ${pageLimits(query)}) p ${joins}
      order by ${by}`,
  });
}

export function findPackage(db: Db, session: Session, id: number): Promise<Package | null> {
  return db.maybe(sql`
    select ${columns} from package p ${joins}
    where p.id = ${id} and p.deleted_at is null
      and ${tenantPredicate(session, sql`p.tenant_id`)}`);
}

export interface PackageRow extends PackageDraft {
  id: number;
  tenantId: number;
  isOnSale: boolean;
  editVersion: number;
  editedBy: string;
}

const rowColumns = sql`
  p.id, p.tenant_id as "tenantId", p.name, p.kind, p.sides, p.price_fen as "priceFen",
  p.bonus_fen as "bonusFen", p.uses, p.valid_days as "validDays",
  p.cover_limit_fen as "coverLimitFen", p.remark, p.is_on_sale as "isOnSale",
  p.edit_version as "editVersion", p.edited_by as "editedBy"`;

/** As it is now, locked until the transaction ends. */
export function lockPackage(db: Db, session: Session, id: number): Promise<PackageRow | null> {
  return db.maybe(sql`
    select ${rowColumns} from package p
    where p.id = ${id} and p.deleted_at is null
      and ${tenantPredicate(session, sql`p.tenant_id`)}
    for update`);
}

export type OfferRow = Omit<PackageRow, "editVersion" | "editedBy">;

/** What can be bought now. */
export function findOffers(db: Db, tenantId: number): Promise<OfferRow[]> {
  return db.many(sql`
    select ${rowColumns} from package p
    where p.tenant_id = ${tenantId} and p.is_on_sale and p.deleted_at is null
    order by p.kind, p.price_fen, p.id`);
}

/** As it stands; it can neither change nor go before the transaction ends. */
export function holdOffer(db: Db, tenantId: number, id: number): Promise<OfferRow | null> {
  return db.maybe(sql`
    select ${rowColumns} from package p
    where p.tenant_id = ${tenantId} and p.id = ${id} and p.is_on_sale and p.deleted_at is null
    for share`);
}

export async function insertPackage(
  db: Db,
  tenantId: number,
  draft: PackageDraft & { isOnSale: boolean },
  editedBy: string,
): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into package (tenant_id, name, kind, sides, price_fen, bonus_fen, uses, valid_days,
      cover_limit_fen, remark, is_on_sale, edited_by)
    values (${tenantId}, ${draft.name}, ${draft.kind}, ${draft.sides}, ${draft.priceFen},
      ${draft.bonusFen}, ${draft.uses}, ${draft.validDays}, ${draft.coverLimitFen},
      ${draft.remark}, ${draft.isOnSale}, ${editedBy})
    returning id`);
  return id;
}

interface PackageKey {
  tenantId: number;
  id: number;
}

export async function updatePackage(
  db: Db,
  { tenantId, id }: PackageKey,
  draft: PackageDraft & { isOnSale: boolean },
  editedBy: string,
): Promise<void> {
  await db.run(sql`
    update package set name = ${draft.name}, kind = ${draft.kind}, sides = ${draft.sides},
      price_fen = ${draft.priceFen}, bonus_fen = ${draft.bonusFen}, uses = ${draft.uses},
      valid_days = ${draft.validDays}, cover_limit_fen = ${draft.coverLimitFen},
      remark = ${draft.remark}, is_on_sale = ${draft.isOnSale}, edit_version = edit_version + 1,
      edited_at = now(), edited_by = ${editedBy}
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** Hidden, and off sale: cards and journals go on naming it. */
export async function hidePackage(
  db: Db,
  { tenantId, id }: PackageKey,
  editedBy: string,
): Promise<void> {
  await db.run(sql`
    update package set deleted_at = now(), is_on_sale = false, edited_by = ${editedBy}
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** How many cards of it can still be used. */
export async function countHeld(db: Db, { tenantId, id }: PackageKey): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from user_package u
    where u.tenant_id = ${tenantId} and u.package_id = ${id} and ${isUsable}`);
  return n;
}

/** Another package of this name that is there. */
export async function isNameTaken(
  db: Db,
  tenantId: number,
  name: string,
  exceptId: number | null,
): Promise<boolean> {
  const found = await db.maybe(sql`
    select 1 from package
    where tenant_id = ${tenantId} and name = ${name} and deleted_at is null
      and id is distinct from ${exceptId}::bigint`);
  return found !== null;
}

/** Who names packages of one tenant waits for each other. */
export async function lockNames(db: Db, tenantId: number): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('package name'), ${tenantId})`);
}

/** Null when the tenant does not exist, or the account may make nothing for it. */
export async function findOwnTenant(
  db: Db,
  session: Session,
  requestedTenantId?: number,
): Promise<number | null> {
  const tenantId = requestedTenantId ?? session.tenantId;
  if (!isPlatformStaff(session)) return tenantId === session.tenantId ? tenantId : null;
  const found = await db.maybe(sql`select 1 from tenant where id = ${tenantId}`);
  return found === null ? null : tenantId;
}

/** The journal of its purchase names the card; null where the tenant has no such person. */
export async function insertCard(
  db: Db,
  tenantId: number,
  endUserId: number,
  offer: OfferRow,
): Promise<number | null> {
  const card = await db.maybe<{ id: number }>(sql`
    insert into user_package (tenant_id, end_user_id, package_id, name, kind, sides, price_fen,
      cover_limit_fen, uses, uses_left, expires_at)
    select e.tenant_id, e.id, ${offer.id}, ${offer.name}, ${offer.kind}, ${offer.sides}::text[],
      ${offer.priceFen}, ${offer.coverLimitFen}::bigint, ${offer.uses}::int, ${offer.uses}::int,
      now() + make_interval(days => ${offer.validDays ?? 0})
    from end_user e where e.tenant_id = ${tenantId} and e.id = ${endUserId}
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

/** With the whole phone: the service hides its middle. */
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
