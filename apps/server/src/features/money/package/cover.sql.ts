// Purchased cards in SQL: the cards of a person and the order that took a use of one.
import type { CardKind } from "@cabinet/contract/money/package/package.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface CardRow {
  id: number;
  packageId: number;
  name: string;
  kind: CardKind;
  sides: Side[];
  priceFen: number;
  coverLimitFen: number | null;
  uses: number | null;
  usesLeft: number | null;
  boughtAt: string;
  expiresAt: string;
}

const columns = sql`
  user_package.id, user_package.package_id, user_package.name, user_package.kind,
  user_package.sides, user_package.price_fen, user_package.cover_limit_fen, user_package.uses,
  user_package.uses_left, user_package.bought_at, user_package.expires_at`;

export interface Person {
  tenantId: number;
  endUserId: number;
}

/** All cards that a person ever bought, newest first. */
export function findCards(db: Db, { tenantId, endUserId }: Person): Promise<CardRow[]> {
  return db.many(sql`
    select ${columns} from user_package
    where user_package.tenant_id = ${tenantId} and user_package.end_user_id = ${endUserId}
    order by user_package.id desc`);
}

/** Usable cards (not expired, uses left), without a lock. */
export function findUsableCards(db: Db, { tenantId, endUserId }: Person): Promise<CardRow[]> {
  return db.many(sql`
    select ${columns} from user_package
    where user_package.tenant_id = ${tenantId} and user_package.end_user_id = ${endUserId}
      and user_package.expires_at > now() and user_package.uses_left is distinct from 0
    order by user_package.id`);
}

/** Like `findUsableCards`, with row locks: a transaction that waited sees the remaining uses. */
export function lockUsableCards(db: Db, { tenantId, endUserId }: Person): Promise<CardRow[]> {
  return db.many(sql`
    select ${columns} from user_package
    where user_package.tenant_id = ${tenantId} and user_package.end_user_id = ${endUserId}
      and user_package.expires_at > now() and user_package.uses_left is distinct from 0
    order by user_package.id
    for no key update`);
}

/** Locks the cards that these orders have taken uses of, until the transaction ends. */
export async function lockCardsOf(db: Db, tenantId: number, orderIds: number[]): Promise<void> {
  await db.run(sql`
    select from user_package
    where tenant_id = ${tenantId} and id in (
      select user_package_id from package_use
      where tenant_id = ${tenantId} and order_id = any(${orderIds}::bigint[]))
    order by id
    for no key update`);
}

interface CoveredOrderKey {
  tenantId: number;
  orderId: number;
}

export interface UseRow {
  userPackageId: number;
  fen: number;
  name: string;
  coverLimitFen: number | null;
  usesLeft: number | null;
}

/** The card that an order took a use of. */
export function findUse(db: Db, { tenantId, orderId }: CoveredOrderKey): Promise<UseRow | null> {
  return db.maybe(sql`
    select package_use.user_package_id, package_use.fen, user_package.name,
      user_package.cover_limit_fen, user_package.uses_left
    from package_use
    join user_package on user_package.tenant_id = package_use.tenant_id
      and user_package.id = package_use.user_package_id
    where package_use.tenant_id = ${tenantId} and package_use.order_id = ${orderId}`);
}

/** Takes one use of a locked card; false if the order has meanwhile taken one. */
export async function insertUse(
  db: Db,
  { tenantId, orderId }: CoveredOrderKey,
  { userPackageId, fen }: { userPackageId: number; fen: number },
): Promise<boolean> {
  const taken = await db.run(sql`
    with used as (
      insert into package_use (tenant_id, order_id, user_package_id, fen)
      values (${tenantId}, ${orderId}, ${userPackageId}, ${fen})
      on conflict (tenant_id, order_id) do nothing
      returning 1
    )
    update user_package set uses_left = uses_left - 1
    where tenant_id = ${tenantId} and id = ${userPackageId} and exists (select from used)`);
  return taken === 1;
}

export async function updateUse(
  db: Db,
  { tenantId, orderId }: CoveredOrderKey,
  fen: number,
): Promise<void> {
  await db.run(sql`
    update package_use set fen = ${fen} where tenant_id = ${tenantId} and order_id = ${orderId}`);
}

/** Returns the use to its card; null if the order had none. */
export function deleteUse(
  db: Db,
  { tenantId, orderId }: CoveredOrderKey,
): Promise<{ userPackageId: number; fen: number } | null> {
  return db.maybe(sql`
    with undone as (
      delete from package_use where tenant_id = ${tenantId} and order_id = ${orderId}
      returning user_package_id, fen
    ), given_back as (
      update user_package set uses_left = uses_left + 1
      from undone where user_package.tenant_id = ${tenantId} and user_package.id = undone.user_package_id
      returning 1
    )
    select user_package_id, fen from undone`);
}
