// SQL for wallets with their owners, and for top-ups. Only the ledger writes wallets.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type {
  TopUp,
  Wallet,
  WalletDetail,
  walletContract,
} from "@cabinet/contract/money/wallet/wallet.contract.ts";
import type { Actor } from "../../../platform/actor.ts";
import { type Session, tenantPredicate } from "../../../platform/context.ts";
import { type Db, join, type Sql, sql } from "../../../platform/db/db.ts";
import { findPage, pageLimits } from "../../../platform/db/page.ts";
import { phoneSql } from "../../../platform/db/phone.sql.ts";

type WalletQuery = Input<typeof walletContract.list>["query"];
type TopUpQuery = Input<typeof walletContract.topUps>["query"];

const columns = sql`
  u.id as "endUserId", u.tenant_id as "tenantId", t.name as "tenantName", u.name as "userName",
  u.phone, is_locked(u) as "isLocked", coalesce(w.principal_fen, 0) as "principalFen",
  coalesce(w.bonus_fen, 0) as "bonusFen",
  coalesce(w.held_principal_fen + w.held_bonus_fen, 0) as "heldFen", (
    select j.at from ledger_journal j
    where j.tenant_id = u.tenant_id and j.end_user_id = u.id
    order by j.id desc limit 1) as "lastChangeAt"`;

/** People without a `wallet` row count as having an empty wallet. */
const withWallet = sql`
  end_user u left join wallet w on w.tenant_id = u.tenant_id and w.end_user_id = u.id`;

const sortColumns = {
  principal: sql`coalesce(w.principal_fen, 0)`,
  bonus: sql`coalesce(w.bonus_fen, 0)`,
};
const directions = { asc: sql`asc`, desc: sql`desc` };

function matching(session: Session, query: WalletQuery): Sql {
  const conditions = [
    sql`u.deleted_at is null`,
    tenantPredicate(session, sql`u.tenant_id`, query.tenantId),
  ];
  const name = query.name?.trim();
  if (query.phone) conditions.push(phoneSql(sql`u.phone`, query.phone));
  if (name) conditions.push(sql`strpos(u.name, ${name}) > 0`);
  if (query.endUserId) conditions.push(sql`u.id = ${query.endUserId}`);
  if (query.hasBalance !== undefined) {
    conditions.push(
      sql`(coalesce(w.principal_fen + w.bonus_fen, 0) > 0) = ${query.hasBalance}::boolean`,
    );
  }
  return sql`from ${withWallet} where ${join(conditions, " and ")}`;
}

/** Newest people first unless sorted; unmasked phones, which the service masks. */
export function findWallets(db: Db, session: Session, query: WalletQuery): Promise<Page<Wallet>> {
  const { sort, order = "desc" } = query;
  const by = sort ? sql`${sortColumns[sort]} ${directions[order]}, u.id desc` : sql`u.id desc`;
  const matched = matching(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select ${columns}
      from (select u.tenant_id, u.id ${matched} order by ${by} ${pageLimits(query)}) found
      join end_user u on u.tenant_id = found.tenant_id and u.id = found.id
      left join wallet w on w.tenant_id = u.tenant_id and w.end_user_id = u.id
      join tenant t on t.id = u.tenant_id
      order by ${by}`,
  });
}

export async function findWalletDetail(
  db: Db,
  session: Session,
  endUserId: number,
): Promise<WalletDetail | null> {
  const mine = sql`u.id = ${endUserId} and ${tenantPredicate(session, sql`u.tenant_id`)}`;
  const [wallet, holds] = await Promise.all([
    db.maybe<Omit<WalletDetail, "holds">>(sql`
      select ${columns}, u.created_at as since, sums.*
      from ${withWallet}
      join tenant t on t.id = u.tenant_id
      cross join lateral (
        select
          coalesce(sum(j.principal_fen)
            filter (where j.kind in ('RECHARGE', 'RECHARGE_REFUND')), 0)::bigint as "rechargedFen",
          coalesce(sum(j.bonus_fen)
            filter (where j.kind in ('RECHARGE', 'RECHARGE_REFUND')), 0)::bigint as "giftedFen",
          coalesce(-sum(j.principal_fen + j.bonus_fen)
            filter (where j.kind in ('PAYMENT', 'PAYMENT_REFUND', 'PACKAGE_BUY')), 0)::bigint
            as "spentFen"
        from ledger_journal j
        where j.tenant_id = u.tenant_id and j.end_user_id = u.id) sums
      where ${mine}`),
    db.many<WalletDetail["holds"][number]>(sql`
      select h.order_id as "orderId", h.principal_fen as "principalFen",
        h.bonus_fen as "bonusFen", h.created_at as at
      from end_user u
      join wallet_hold h on h.tenant_id = u.tenant_id and h.end_user_id = u.id and h.state = 'HELD'
      where ${mine} order by h.id`),
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
    select u.tenant_id as "tenantId", u.id as "endUserId", u.name as "userName", u.phone
    from end_user u
    where u.id = ${endUserId} and u.deleted_at is null
      and ${tenantPredicate(session, sql`u.tenant_id`)}
    for key share of u`);
}

function matchingTopUps(session: Session, query: TopUpQuery): Sql {
  const { phone, channel, state, endUserId, from, to } = query;
  const conditions = [tenantPredicate(session, sql`p.tenant_id`, query.tenantId)];
  if (channel) conditions.push(sql`p.channel = ${channel}`);
  if (state) conditions.push(sql`p.state = ${state}`);
  if (endUserId) conditions.push(sql`p.end_user_id = ${endUserId}`);
  if (phone) {
    conditions.push(sql`(p.tenant_id, p.end_user_id) in (
      select u.tenant_id, u.id from end_user u where ${phoneSql(sql`u.phone`, phone)})`);
  }
  if (from) conditions.push(sql`p.created_at >= ${from}`);
  if (to) conditions.push(sql`p.created_at <= ${to}`);
  return sql`from top_up p where ${join(conditions, " and ")}`;
}

/** Newest first. */
export function findTopUps(db: Db, session: Session, query: TopUpQuery): Promise<Page<TopUp>> {
  const matched = matchingTopUps(session, query);
  return findPage(db, {
    matching: matched,
    rows: sql`
      select p.id, p.tenant_id as "tenantId", t.name as "tenantName",
        p.end_user_id as "endUserId", u.name as "userName", u.phone, p.channel, p.state,
        p.principal_fen as "principalFen", p.bonus_fen as "bonusFen", k.name as "packageName",
        p.out_trade_no as "outTradeNo", p.transaction_no as "transactionNo",
        p.created_at as "createdAt", p.paid_at as "paidAt", p.actor_kind as "actorKind",
        p.actor_name as "actorName", p.reason
      from (select p.* ${matched} order by p.id desc ${pageLimits(query)}) p
      join tenant t on t.id = p.tenant_id
      join end_user u on u.tenant_id = p.tenant_id and u.id = p.end_user_id
      left join package k on k.tenant_id = p.tenant_id and k.id = p.package_id
      order by p.id desc`,
  });
}

export interface CashTopUp {
  tenantId: number;
  endUserId: number;
  principalFen: number;
  bonusFen: number;
  packageId: number | null;
  receiptNo: string | null;
  actor: Actor;
  reason: string;
}

/** Manual top-up: recorded as paid at once. */
export async function insertCashTopUp(db: Db, topUp: CashTopUp): Promise<number> {
  const { actor } = topUp;
  const { id } = await db.one<{ id: number }>(sql`
    insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, bonus_fen,
      package_id, transaction_no, paid_at, actor_kind, actor_id, actor_name, reason)
    values (${topUp.tenantId}, ${topUp.endUserId}, 'CASH', 'PAID', ${topUp.principalFen},
      ${topUp.bonusFen}, ${topUp.packageId}, ${topUp.receiptNo}, now(), ${actor.kind},
      ${actor.id}, ${actor.name}, ${topUp.reason})
    returning id`);
  return id;
}
