// The only statements that write wallets, journals, legs and holds; all of them run under the wallet's row lock.
import {
  type FenSplit,
  legsOf,
  type WalletChange,
} from "@cabinet/contract/money/ledger/ledger.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { Actor } from "../../../platform/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { sql } from "../../../platform/db/sql.ts";

export interface WalletKey {
  tenantId: number;
  endUserId: number;
}

export type JournalDraft = WalletKey &
  WalletChange & {
    /** Idempotency key (`bizType`, `bizId`): the same business is posted once. */
    bizType: string;
    bizId: string;
    order?: { id: number; side: Side };
    /** State that the amount was calculated from: a second person's consent holds for this one alone (0142). */
    basis?: string;
    actor: Actor;
    reason?: string;
  };

export interface PostedJournal extends FenSplit {
  id: number;
  at: string;
  kind: WalletChange["kind"];
  endUserId: number;
  principalAfterFen: number;
  bonusAfterFen: number;
  /** True when it had been posted before and this call changed nothing. */
  isRepeat: boolean;
}

export interface Wallet extends FenSplit {
  heldPrincipalFen: number;
  heldBonusFen: number;
}

export interface Hold extends FenSplit {
  id: number;
  endUserId: number;
  orderId: number;
  state: "HELD" | "POSTED" | "RELEASED";
}

/**
 * Creates missing wallets and locks them all, in the order of their ids. An upsert that updates nothing locks the row
 * without writing it.
 */
export async function lockWallets(db: Db, tenantId: number, endUserIds: number[]): Promise<void> {
  const inOrder = [...new Set(endUserIds)].sort((one, other) => one - other);
  await db.run(sql`
    insert into wallet (tenant_id, end_user_id)
    select ${tenantId}::int, id from unnest(${inOrder}::bigint[]) with ordinality input (id, place)
    order by place
    on conflict (tenant_id, end_user_id) do update set principal_fen = wallet.principal_fen
    where false`);
}

/** Locks a wallet if there is one, at two thirds of the cost of `lockWallets`. */
export async function lockWallet(db: Db, { tenantId, endUserId }: WalletKey): Promise<void> {
  await db.run(sql`
    select from wallet where tenant_id = ${tenantId} and end_user_id = ${endUserId}
    for no key update`);
}

/** Null for a person who never had money. */
export function findWallet(db: Db, { tenantId, endUserId }: WalletKey): Promise<Wallet | null> {
  return db.maybe(sql`
    select principal_fen, bonus_fen, held_principal_fen, held_bonus_fen
    from wallet where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
}

const journalColumns = sql`
  id, at, kind, end_user_id, principal_fen, bonus_fen, principal_after_fen, bonus_after_fen`;

type Biz = Pick<JournalDraft, "tenantId" | "bizType" | "bizId">;

export function findJournal(
  db: Db,
  { tenantId, bizType, bizId }: Biz,
): Promise<PostedJournal | null> {
  return db.maybe(sql`
    select ${journalColumns}, true as is_repeat from ledger_journal
    where tenant_id = ${tenantId} and biz_type = ${bizType} and biz_id = ${bizId}`);
}

/**
 * Changes the wallet and writes the journal with its legs, or returns the existing journal of this business; null when
 * the balance is too low, or without a wallet. The caller holds the wallet's lock, so that the check for an earlier
 * journal is as fresh as the balance. `released` is taken off the held amount.
 */
export function insertJournal(
  db: Db,
  draft: JournalDraft,
  released: FenSplit = { principalFen: 0, bonusFen: 0 },
): Promise<PostedJournal | null> {
  const { tenantId, endUserId, bizType, bizId, actor, order } = draft;
  const legs = legsOf(draft);
  return db.maybe(sql`
    with changed as (
      update wallet set
        principal_fen = principal_fen + ${draft.principalFen}::bigint,
        bonus_fen = bonus_fen + ${draft.bonusFen}::bigint,
        held_principal_fen = held_principal_fen - ${released.principalFen}::bigint,
        held_bonus_fen = held_bonus_fen - ${released.bonusFen}::bigint
      where tenant_id = ${tenantId} and end_user_id = ${endUserId}
        and principal_fen + ${draft.principalFen} >= held_principal_fen - ${released.principalFen}
        and bonus_fen + ${draft.bonusFen} >= held_bonus_fen - ${released.bonusFen}
        and not exists (
          select from ledger_journal
          where tenant_id = ${tenantId} and biz_type = ${bizType} and biz_id = ${bizId})
      returning principal_fen, bonus_fen
    ), journal as (
      insert into ledger_journal (tenant_id, kind, biz_type, biz_id, order_id, side, end_user_id,
        principal_fen, bonus_fen, principal_after_fen, bonus_after_fen, actor_kind, actor_id,
        actor_name, reason)
      select ${tenantId}::int, ${draft.kind}::text, ${bizType}::text, ${bizId}::text,
        ${order?.id ?? null}::bigint, ${order?.side ?? null}::text, ${endUserId}::bigint,
        ${draft.principalFen}::bigint, ${draft.bonusFen}::bigint, principal_fen, bonus_fen,
        ${actor.kind}::text, ${actor.id}::bigint, ${actor.name}::text, ${draft.reason ?? null}::text
      from changed
      returning *
    ), leg as (
      insert into ledger_leg (tenant_id, journal_id, account, amount_fen)
      select tenant_id, id, account, amount_fen
      from journal, unnest(${legs.map(({ account }) => account)}::text[],
        ${legs.map(({ amountFen }) => amountFen)}::bigint[]) input (account, amount_fen)
    )
    select ${journalColumns}, false as is_repeat from journal
    union all
    select ${journalColumns}, true from ledger_journal
    where tenant_id = ${tenantId} and biz_type = ${bizType} and biz_id = ${bizId}`);
}

const holdColumns = sql`id, end_user_id, order_id, principal_fen, bonus_fen, state`;

/** Holds part of the balance; the caller has locked the row and checked that the amount is available. */
export function insertHold(
  db: Db,
  { tenantId, endUserId }: WalletKey,
  orderId: number,
  { principalFen, bonusFen }: FenSplit,
): Promise<Hold> {
  return db.one(sql`
    with held as (
      update wallet set held_principal_fen = held_principal_fen + ${principalFen}::bigint,
        held_bonus_fen = held_bonus_fen + ${bonusFen}::bigint
      where tenant_id = ${tenantId} and end_user_id = ${endUserId}
      returning end_user_id
    )
    insert into wallet_hold (tenant_id, end_user_id, order_id, principal_fen, bonus_fen)
    select ${tenantId}::int, end_user_id, ${orderId}::bigint, ${principalFen}::bigint,
      ${bonusFen}::bigint
    from held
    returning ${holdColumns}`);
}

/** Locks the wallet before the hold, the lock order used everywhere; a hold's owner never changes. */
export async function lockHold(db: Db, tenantId: number, holdId: number): Promise<Hold | null> {
  const ofHold = sql`tenant_id = ${tenantId} and id = ${holdId}`;
  const [, hold] = await Promise.all([
    db.run(sql`
      select from wallet where tenant_id = ${tenantId}
        and end_user_id = (select end_user_id from wallet_hold where ${ofHold})
      for no key update`),
    db.maybe<Hold>(sql`select ${holdColumns} from wallet_hold where ${ofHold} for update`),
  ]);
  return hold;
}

/** The order's current hold. */
export function findHoldOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: number; orderId: number },
): Promise<Hold | null> {
  return db.maybe(sql`
    select ${holdColumns} from wallet_hold
    where tenant_id = ${tenantId} and order_id = ${orderId} and state = 'HELD'`);
}

export async function settleHold(
  db: Db,
  tenantId: number,
  holdId: number,
  state: "POSTED" | "RELEASED",
): Promise<void> {
  await db.run(sql`
    update wallet_hold set state = ${state}, settled_at = now()
    where tenant_id = ${tenantId} and id = ${holdId}`);
}

/** Makes held money spendable again. */
export async function freeHeld(
  db: Db,
  { tenantId, endUserId }: WalletKey,
  { principalFen, bonusFen }: FenSplit,
): Promise<void> {
  await db.run(sql`
    update wallet set held_principal_fen = held_principal_fen - ${principalFen}::bigint,
      held_bonus_fen = held_bonus_fen - ${bonusFen}::bigint
    where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
}

/** Takes the name of a deleted person from journals: those of their wallet, and of orders that another wallet paid. */
export async function forgetJournalActor(
  db: Db,
  { tenantId, endUserId, name }: { tenantId: number; endUserId: number; name: string },
  orderIds: readonly number[],
): Promise<void> {
  await db.run(sql`
    update ledger_journal set actor_name = ${name}
    where tenant_id = ${tenantId} and actor_kind = 'END_USER' and actor_id = ${endUserId}
      and actor_name <> ${name}
      and (end_user_id = ${endUserId} or order_id = any(${[...orderIds]}::bigint[]))`);
}
