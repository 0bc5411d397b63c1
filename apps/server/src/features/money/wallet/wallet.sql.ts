// SQL for wallets with their owners, and for top-ups. Only the ledger writes wallets.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  TopUp,
  Wallet,
  WalletDetail,
  walletContract,
} from "@cabinet/contract/money/wallet/wallet.contract.ts";
import type { Session } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { findPage, findSums, pageLimits, type Sums } from "../../../platform/db/page.ts";
import { endUserPhoneSql } from "../../../platform/db/phone.sql.ts";
import { and, directions, periodSql, type Sql, sql } from "../../../platform/db/sql.ts";
import { personPredicate } from "../../organization/store/index.ts";

type WalletQuery = Input<typeof walletContract.list>["query"];
type WalletFilters = Input<typeof walletContract.sums>["query"];
type TopUpQuery = Input<typeof walletContract.topUps>["query"];
type TopUpFilters = Input<typeof walletContract.topUpSums>["query"];

const columns = sql`
  end_user.id as end_user_id, end_user.tenant_id, tenant.name as tenant_name,
  end_user.name as user_name, end_user.phone, is_locked(end_user) as is_locked,
  coalesce(wallet.principal_fen, 0) as principal_fen, coalesce(wallet.bonus_fen, 0) as bonus_fen,
  coalesce(wallet.held_principal_fen + wallet.held_bonus_fen, 0) as held_fen, (
    select journal.at from ledger_journal journal
    where journal.tenant_id = end_user.tenant_id and journal.end_user_id = end_user.id
    order by journal.id desc limit 1) as last_change_at`;

/** People without a `wallet` row count as having an empty wallet. */
const withWallet = sql`
  end_user left join wallet on wallet.tenant_id = end_user.tenant_id
    and wallet.end_user_id = end_user.id`;

const sortColumns = {
  principal: sql`coalesce(wallet.principal_fen, 0)`,
  bonus: sql`coalesce(wallet.bonus_fen, 0)`,
};

function matching(session: Session, query: WalletFilters): Sql {
  const name = query.name?.trim();
  const conditions = and(
    sql`end_user.deleted_at is null`,
    personPredicate(session, sql`end_user.tenant_id`, sql`end_user.id`, query.tenantId),
    query.phone && endUserPhoneSql(session, query.phone),
    name && sql`strpos(end_user.name, ${name}) > 0`,
    query.endUserId && sql`end_user.id = ${query.endUserId}`,
    query.hasBalance !== undefined &&
      sql`(coalesce(wallet.principal_fen + wallet.bonus_fen, 0) > 0)
        = ${query.hasBalance}::boolean`,
  );
  return sql`from ${withWallet} where ${conditions}`;
}

/** Newest people first unless sorted; unmasked phones, which the service masks. */
export function findWallets(db: Db, session: Session, query: WalletQuery): Promise<Page<Wallet>> {
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
      join end_user on end_user.tenant_id = found.tenant_id and end_user.id = found.id
      left join wallet on wallet.tenant_id = end_user.tenant_id and wallet.end_user_id = end_user.id
      join tenant on tenant.id = end_user.tenant_id
      order by ${by}`,
  });
}

export function sumWallets(
  db: Db,
  session: Session,
  query: WalletFilters,
): Promise<Sums<"principalFen" | "bonusFen" | "heldFen">> {
  return findSums(db, {
    columns: ["principal_fen", "bonus_fen", "held_fen"],
    rows: sql`
      select wallet.principal_fen, wallet.bonus_fen,
        wallet.held_principal_fen + wallet.held_bonus_fen as held_fen
      ${matching(session, query)} order by end_user.id desc`,
  });
}

export async function findWalletDetail(
  db: Db,
  session: Session,
  endUserId: number,
): Promise<WalletDetail | null> {
  const mine = sql`end_user.id = ${endUserId} and ${personPredicate(session, sql`end_user.tenant_id`, sql`end_user.id`)}`;
  const [wallet, holds] = await Promise.all([
    db.maybe<Omit<WalletDetail, "holds">>(sql`
      select ${columns}, end_user.created_at as since, sums.*
      from ${withWallet}
      join tenant on tenant.id = end_user.tenant_id
      cross join lateral (
        select
          coalesce(sum(journal.principal_fen)
            filter (where journal.kind in ('RECHARGE', 'RECHARGE_REFUND')),
            0)::bigint as recharged_fen,
          coalesce(sum(journal.bonus_fen)
            filter (where journal.kind in ('RECHARGE', 'RECHARGE_REFUND')),
            0)::bigint as gifted_fen,
          coalesce(-sum(journal.principal_fen + journal.bonus_fen)
            filter (where journal.kind in ('PAYMENT', 'PAYMENT_REFUND', 'PACKAGE_BUY')), 0)::bigint
            as spent_fen
        from ledger_journal journal
        where journal.tenant_id = end_user.tenant_id and journal.end_user_id = end_user.id) sums
      where ${mine}`),
    db.many<WalletDetail["holds"][number]>(sql`
      select hold.order_id, hold.principal_fen, hold.bonus_fen, hold.created_at as at
      from end_user
      join wallet_hold hold on hold.tenant_id = end_user.tenant_id
        and hold.end_user_id = end_user.id and hold.state = 'HELD'
      where ${mine} order by hold.id`),
  ]);
  return wallet && { ...wallet, holds };
}

export interface WalletOwner {
  tenantId: number;
  endUserId: number;
  userName: string;
  phone: string;
}

/** The owner, with FOR KEY SHARE: it cannot be deleted before the transaction ends. */
export function findOwner(
  db: Db,
  session: Session,
  endUserId: number,
): Promise<WalletOwner | null> {
  return db.maybe(sql`
    select end_user.tenant_id, end_user.id as end_user_id, end_user.name as user_name,
      end_user.phone
    from end_user
    where end_user.id = ${endUserId} and end_user.deleted_at is null
      and ${personPredicate(session, sql`end_user.tenant_id`, sql`end_user.id`)}
    for key share of end_user`);
}

function matchingTopUps(session: Session, query: TopUpFilters): Sql {
  const { phone, channel, state, endUserId, from, to } = query;
  const conditions = and(
    personPredicate(session, sql`top_up.tenant_id`, sql`top_up.end_user_id`, query.tenantId),
    channel && sql`top_up.channel = ${channel}`,
    state && sql`top_up.state = ${state}`,
    endUserId && sql`top_up.end_user_id = ${endUserId}`,
    phone &&
      sql`(top_up.tenant_id, top_up.end_user_id) in (
        select end_user.tenant_id, end_user.id from end_user
        where ${endUserPhoneSql(session, phone)})`,
    periodSql(sql`top_up.created_at`, { from, to }),
  );
  return sql`from top_up where ${conditions}`;
}

/** Newest first. */
export function findTopUps(db: Db, session: Session, query: TopUpQuery): Promise<Page<TopUp>> {
  const matched = matchingTopUps(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select top_up.id, top_up.tenant_id, tenant.name as tenant_name, top_up.end_user_id,
        end_user.name as user_name, end_user.phone, top_up.channel, top_up.state,
        top_up.principal_fen, top_up.bonus_fen, package.name as package_name, top_up.out_trade_no,
        top_up.transaction_no, top_up.created_at, top_up.paid_at, top_up.actor_kind,
        top_up.actor_name, top_up.reason
      from (select top_up.* ${matched} order by top_up.id desc ${pageLimits(query)}) top_up
      join tenant on tenant.id = top_up.tenant_id
      join end_user on end_user.tenant_id = top_up.tenant_id and end_user.id = top_up.end_user_id
      left join package on package.tenant_id = top_up.tenant_id and package.id = top_up.package_id
      order by top_up.id desc`,
  });
}

/** Unpaid top-ups count as rows and add nothing. */
export function sumTopUps(
  db: Db,
  session: Session,
  query: TopUpFilters,
): Promise<Sums<"principalFen" | "bonusFen">> {
  return findSums(db, {
    columns: ["principal_fen", "bonus_fen"],
    rows: sql`
      select case when top_up.state not in ('CREATED', 'CLOSED') then top_up.principal_fen end
        as principal_fen,
        case when top_up.state not in ('CREATED', 'CLOSED') then top_up.bonus_fen end as bonus_fen
      ${matchingTopUps(session, query)} order by top_up.id desc`,
  });
}
