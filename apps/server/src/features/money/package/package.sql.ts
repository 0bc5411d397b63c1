// Packages in SQL: the offers that operators sell.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  Package,
  PackageDraft,
  packageContract,
} from "@cabinet/contract/money/package/package.contract.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { and, directions, type Sql, sql, textSql } from "../../../platform/db/sql.ts";
import { isUsable } from "./card.sql.ts";

type PackageQuery = Input<typeof packageContract.list>["query"];

const columns = sql`
  package.id, package.tenant_id, tenant.name as tenant_name, package.name, package.kind,
  package.sides, package.price_fen, package.bonus_fen, package.uses, package.valid_days,
  package.cover_limit_fen, package.remark, package.is_on_sale, sales.sold, sales.held,
  package.edit_version, package.edited_at, package.edited_by`;

const joins = sql`
  join tenant on tenant.id = package.tenant_id
  cross join lateral (
    select count(*)::int as sold, (count(*) filter (where ${isUsable}))::int as held
    from user_package where user_package.tenant_id = package.tenant_id
      and user_package.package_id = package.id) sales`;

const sortColumns = {
  name: sql`package.name`,
  price: sql`package.price_fen`,
  edited: sql`package.edited_at`,
};

function matching(session: Session, query: PackageQuery): Sql {
  return and(
    tenantPredicate(session, sql`package.tenant_id`, query.tenantId),
    sql`package.deleted_at is null`,
    query.side && sql`${query.side} = any(package.sides)`,
    query.kind && sql`package.kind = ${query.kind}`,
    query.isOnSale !== undefined && sql`package.is_on_sale = ${query.isOnSale}`,
    textSql(query.keyword, sql`package.name`, sql`package.remark`),
  );
}

export function findPackages(
  db: Db,
  session: Session,
  query: PackageQuery,
): Promise<Page<Package>> {
  const { sort, order = "asc" } = query;
  const matched = sql`from package where ${matching(session, query)}`;
  const by = sort
    ? sql`${sortColumns[sort]} ${directions[order]}, package.id desc`
    : sql`package.is_on_sale desc, package.id desc`;
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select package.* ${matched} order by ${by} ${pageLimits(query)}) package ${joins}
      order by ${by}`,
  });
}

export function findPackage(db: Db, session: Session, id: number): Promise<Package | null> {
  return db.maybe(sql`
    select ${columns} from package ${joins}
    where package.id = ${id} and package.deleted_at is null
      and ${tenantPredicate(session, sql`package.tenant_id`)}`);
}

export interface PackageRow extends PackageDraft {
  id: number;
  tenantId: number;
  isOnSale: boolean;
  editVersion: number;
  editedBy: string;
}

const rowColumns = sql`
  package.id, package.tenant_id, package.name, package.kind, package.sides, package.price_fen,
  package.bonus_fen, package.uses, package.valid_days, package.cover_limit_fen, package.remark,
  package.is_on_sale, package.edit_version, package.edited_by`;

/** Reads the package and locks it until the transaction ends. */
export function lockPackage(db: Db, session: Session, id: number): Promise<PackageRow | null> {
  return db.maybe(sql`
    select ${rowColumns} from package
    where package.id = ${id} and package.deleted_at is null
      and ${tenantPredicate(session, sql`package.tenant_id`)}
    for update`);
}

export type OfferRow = Omit<PackageRow, "editVersion" | "editedBy">;

/** Packages on sale now. */
export function findOffers(db: Db, tenantId: number): Promise<OfferRow[]> {
  return db.many(sql`
    select ${rowColumns} from package
    where package.tenant_id = ${tenantId} and package.is_on_sale and package.deleted_at is null
    order by package.kind, package.price_fen, package.id`);
}

/** Reads an offer FOR SHARE: it can be neither changed nor deleted until the transaction ends. */
export function lockOffer(db: Db, tenantId: number, id: number): Promise<PackageRow | null> {
  return db.maybe(sql`
    select ${rowColumns} from package
    where package.tenant_id = ${tenantId} and package.id = ${id} and package.is_on_sale
      and package.deleted_at is null
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

/** Soft delete and off sale: cards and journals still refer to the package. */
export async function hidePackage(
  db: Db,
  { tenantId, id }: PackageKey,
  editedBy: string,
): Promise<void> {
  await db.run(sql`
    update package set deleted_at = now(), is_on_sale = false, edited_by = ${editedBy}
    where tenant_id = ${tenantId} and id = ${id}`);
}

/** Number of cards of the package that are still usable. */
export async function countHeld(db: Db, { tenantId, id }: PackageKey): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from user_package
    where user_package.tenant_id = ${tenantId} and user_package.package_id = ${id} and ${isUsable}`);
  return n;
}

/** Whether another package that is not deleted has this name. */
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

/** Advisory lock: transactions that name packages of one tenant run one after another. */
export async function lockNames(db: Db, tenantId: number): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext('package name'), ${tenantId})`);
}
