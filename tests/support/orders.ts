// Rows of people, wallets and orders, for tests on the real database.
import { randomBytes } from "node:crypto";
import {
  isLive,
  type OrderMoney,
  type PayStatus,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { queueSms } from "../../apps/server/src/features/messaging/sms/index.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";

/** Random phone number. */
export function anyPhone(): string {
  return `139${String(randomBytes(4).readUInt32BE() % 100_000_000).padStart(8, "0")}`;
}

/** Inserts an end user with 100 yuan of principal and 20 of bonus, from one balanced journal. */
export async function insertEndUser(db: Db, tenantId: number, name: string): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into end_user (tenant_id, phone, name) values (${tenantId}, ${anyPhone()}, ${name})
    returning id`);
  await db.run(sql`
    insert into wallet (tenant_id, end_user_id, principal_fen, bonus_fen)
    values (${tenantId}, ${id}, 10000, 2000)`);
  await db.run(sql`
    with journal as (
      insert into ledger_journal (tenant_id, kind, biz_type, biz_id, end_user_id, principal_fen,
        bonus_fen, principal_after_fen, bonus_after_fen, actor_kind, actor_name)
      values (${tenantId}, 'RECHARGE', 'TEST', ${String(id)}, ${id}, 10000, 2000, 10000, 2000,
        'SYSTEM', '系统')
      returning tenant_id, id
    )
    insert into ledger_leg (tenant_id, journal_id, account, amount_fen)
    select tenant_id, id, account, fen from journal, (values ('CASH', -10000),
      ('WALLET_PRINCIPAL', 10000), ('GIFT', -2000), ('WALLET_BONUS', 2000)) leg (account, fen)`);
  return id;
}

/**
 * Inserts a tag, a note and a past lock of this user, and a second user with a finished order alone: accounts of
 * some stores find people by their orders there.
 */
export async function insertTagged(
  db: Db,
  of: { tenantId: number; endUserId: number; cabinetId: number; storeId: number },
  mark: string,
): Promise<Record<"spareUserId" | "tagId" | "noteId", number>> {
  const { tenantId, endUserId, cabinetId, storeId } = of;
  const { tagId } = await db.one<{ tagId: number }>(sql`
    insert into tag (tenant_id, name, color, edited_by)
    values (${tenantId}, ${`标签 ${mark}`}, 'GOLD', ${mark}) returning id as tag_id`);
  const { noteId } = await db.one<{ noteId: number }>(sql`
    insert into end_user_note (tenant_id, end_user_id, text, actor_id, actor_name)
    values (${tenantId}, ${endUserId}, ${`备注 ${mark}`}, 1, '李伟') returning id as note_id`);
  await db.run(sql`insert into end_user_tag values (${tenantId}, ${endUserId}, ${tagId})`);
  await db.run(sql`
    insert into end_user_lock (tenant_id, end_user_id, is_lock, reason, actor_name)
    values (${tenantId}, ${endUserId}, false, ${`原因 ${mark}`}, '李伟')`);
  const { spareUserId } = await db.one<{ spareUserId: number }>(sql`
    insert into end_user (tenant_id, phone, name)
    values (${tenantId}, ${anyPhone()}, ${`新用户 ${mark}`}) returning id as spare_user_id`);
  await insertOrder(db, {
    tenantId,
    cabinetId,
    storeId,
    state: "COMPLETED",
    recipientId: spareUserId,
  });
  return { spareUserId, tagId, noteId };
}

/** Inserts an order stored for an hour in compartment 3, with a released hold of 1 yuan. */
export async function insertStoredOrder(
  db: Db,
  at: { tenantId: number; cabinetId: number; storeId: number },
  mark: string,
): Promise<
  Record<
    "endUserId" | "orderId" | "journalId" | "packageId" | "userPackageId" | "bonusPackageId",
    number
  >
> {
  const { tenantId, cabinetId, storeId } = at;
  const endUserId = await insertEndUser(db, tenantId, `用户 ${mark}`);
  const pricing = {
    scope: "TENANT",
    rule: {
      freeMinutes: 0,
      perUseFen: 0,
      stepMinutes: 60,
      stepFen: 100,
      capFen: null,
      overdueAfterMinutes: 1440,
    },
  };
  const { orderId } = await db.one<{ orderId: number }>(sql`
    insert into storage_order (tenant_id, side, cabinet_id, store_id, compartment_no, size, state,
      rider_id, recipient_id, item_note, pricing, stored_at, overdue_at)
    values (${tenantId}, 'SINGLE', ${cabinetId}, ${storeId}, 3, 'M', 'STORED', ${endUserId},
      ${endUserId}, ${mark}, ${JSON.stringify(pricing)}, now() - interval '1 hour',
      now() + interval '23 hours')
    returning id as order_id`);
  await db.run(sql`
    insert into live_order (tenant_id, cabinet_id, compartment_no, order_id, code_hash, overdue_at)
    values (${tenantId}, ${cabinetId}, 3, ${orderId}, ${randomBytes(32)},
      now() + interval '23 hours')`);
  await db.run(sql`
    insert into order_event (tenant_id, order_id, kind, to_state, actor_kind, actor_name)
    values (${tenantId}, ${orderId}, 'STORED', 'STORED', 'SYSTEM', ${mark})`);
  await db.run(sql`
    insert into wallet_hold (tenant_id, end_user_id, order_id, principal_fen, bonus_fen, state,
      settled_at)
    values (${tenantId}, ${endUserId}, ${orderId}, 100, 0, 'RELEASED', now())`);
  await db.run(sql`
    insert into idempotency_key (tenant_id, actor, key, fingerprint)
    values (${tenantId}, ${mark}, ${mark}, '\\x00')`);
  await db.run(sql`
    insert into order_delta (tenant_id, day, side, store_id, cabinet_id, started)
    values (${tenantId}, current_date, 'SINGLE', ${storeId}, ${cabinetId}, 1)`);
  await db.run(sql`
    insert into order_day (tenant_id, day, side, store_id, cabinet_id, started)
    values (${tenantId}, current_date, 'SINGLE', ${storeId}, ${cabinetId}, 1)`);
  await insertSignIns(db, { tenantId, endUserId });
  const journalId = await insertTopUp(db, { tenantId, endUserId }, mark);
  const packages = await insertPackages(db, { tenantId, endUserId, orderId }, mark);
  await db.run(sql`
    insert into occupancy_hour (tenant_id, hour, cabinet_id, size, store_id, samples, occupied,
      total, full_samples, peak, last_at)
    values (${tenantId}, date_trunc('hour', now()), ${cabinetId}, 'M', ${storeId}, 1, 1, 3, 0, 1,
      now())`);
  return { endUserId, orderId, journalId, ...packages };
}

/** Inserts a cash top-up; returns the first journal of the wallet. */
async function insertTopUp(
  db: Db,
  { tenantId, endUserId }: { tenantId: number; endUserId: number },
  mark: string,
): Promise<number> {
  await db.run(sql`
    insert into top_up (tenant_id, end_user_id, channel, state, principal_fen, paid_at, actor_kind,
      actor_name, reason)
    values (${tenantId}, ${endUserId}, 'CASH', 'PAID', 10000, now(), 'OPERATOR', '李伟', ${mark})`);
  const { id } = await db.one<{ id: number }>(sql`
    select id from ledger_journal where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
  return id;
}

/** Inserts an app session of this user, and a sign-in code of another phone. */
async function insertSignIns(
  db: Db,
  { tenantId, endUserId }: { tenantId: number; endUserId: number },
): Promise<void> {
  await db.run(sql`
    insert into app_session (token_hash, tenant_id, end_user_id, expires_at)
    values (${randomBytes(32)}, ${tenantId}, ${endUserId}, now() + interval '1 day')`);
  await db.run(sql`
    insert into sign_in_code (tenant_id, phone, code_hash, expires_at)
    values (${tenantId}, ${anyPhone()}, ${randomBytes(32)}, now() + interval '5 minutes')`);
  await db.run(sql`
    insert into sign_in_request (request_hash, tenant_id, phone, code_hash, expires_at)
    values (${randomBytes(32)}, ${tenantId}, ${anyPhone()}, ${randomBytes(32)},
      now() + interval '5 minutes')`);
}

/** Inserts a text message with an order's code; returns its id. */
export async function insertSms(
  db: Db,
  { tenantId, orderId, mark }: { tenantId: number; orderId: number; mark: string },
): Promise<number> {
  const message = {
    tenantId,
    phone: anyPhone(),
    scene: "PICKUP_CODE",
    text: mark,
    orderId,
  } as const;
  await queueSms(db, message);
  const { id } = await db.one<{ id: number }>(sql`
    select id from sms_message where tenant_id = ${tenantId} and order_id = ${orderId}
    order by id desc limit 1`);
  return id;
}

/** Inserts packages on sale, and a card of one that paid for the order. */
async function insertPackages(
  db: Db,
  { tenantId, endUserId, orderId }: { tenantId: number; endUserId: number; orderId: number },
  mark: string,
): Promise<{ packageId: number; userPackageId: number; bonusPackageId: number }> {
  const { bonusPackageId } = await db.one<{ bonusPackageId: number }>(sql`
    insert into package (tenant_id, name, kind, sides, price_fen, bonus_fen, is_on_sale, edited_by)
    values (${tenantId}, ${`充值 ${mark}`}, 'BONUS', '{SINGLE}', 5000, 500, true, ${mark})
    returning id as bonus_package_id`);
  const { packageId } = await db.one<{ packageId: number }>(sql`
    insert into package (tenant_id, name, kind, sides, price_fen, uses, valid_days, is_on_sale,
      edited_by)
    values (${tenantId}, ${`次卡 ${mark}`}, 'USES', '{SINGLE}', 2500, 10, 90, true, ${mark})
    returning id as package_id`);
  const { userPackageId } = await db.one<{ userPackageId: number }>(sql`
    insert into user_package (tenant_id, end_user_id, package_id, name, kind, sides, price_fen,
      uses, uses_left, expires_at)
    values (${tenantId}, ${endUserId}, ${packageId}, ${`次卡 ${mark}`}, 'USES', '{SINGLE}', 2500,
      10, 9, now() + interval '90 days')
    returning id as user_package_id`);
  await db.run(sql`
    insert into package_use (tenant_id, order_id, user_package_id, fen)
    values (${tenantId}, ${orderId}, ${userPackageId}, 100)`);
  return { packageId, userPackageId, bonusPackageId };
}

export interface OrderFixture {
  tenantId: number;
  cabinetId: number;
  storeId?: number | null;
  no?: number;
  side?: Side;
  state?: OrderState;
  payStatus?: PayStatus;
  recipientId: number;
  riderId?: number | null;
  thirdPartyNo?: string | null;
  createdAt?: Date;
  /** Minutes before now; null: never stored. */
  storedMinutesAgo?: number | null;
  stepFen?: number;
  money?: Partial<OrderMoney>;
}

/** Inserts one order, and its live order if the state needs one; no events, no journals. */
export async function insertOrder(db: Db, fixture: OrderFixture): Promise<number> {
  const { tenantId, cabinetId, storeId = null, no = 1, side = "SINGLE" } = fixture;
  const { state = "STORED", payStatus = "NONE", createdAt = new Date(), money = {} } = fixture;
  const { storedMinutesAgo: minutes = 60, stepFen = 100 } = fixture;
  const rule = {
    ...{ freeMinutes: 0, perUseFen: 0, stepMinutes: 60, stepFen },
    ...{ capFen: null, overdueAfterMinutes: 1440 },
  };
  const { id } = await db.one<{ id: number }>(sql`
    insert into storage_order (tenant_id, id, created_at, side, cabinet_id, store_id, compartment_no,
      size, state, pay_status, third_party_no, rider_id, recipient_id, pricing, stored_at, overdue_at,
      ended_at, price_fen, paid_principal_fen, paid_bonus_fen, refunded_principal_fen,
      refunded_bonus_fen)
    values (${tenantId}, new_order_id(${createdAt.toISOString()}::timestamptz),
      ${createdAt.toISOString()}, ${side}, ${cabinetId}, ${storeId}, ${no}, 'S', ${state},
      ${payStatus}, ${fixture.thirdPartyNo ?? null}, ${fixture.riderId ?? null},
      ${fixture.recipientId}, ${JSON.stringify({ scope: "TENANT", rule })},
      now() - make_interval(mins => ${minutes}::int), now() + interval '1 day',
      case when ${isLive(state)} then null else now() end, ${money.priceFen ?? 0},
      ${money.paidPrincipalFen ?? 0}, ${money.paidBonusFen ?? 0},
      ${money.refundedPrincipalFen ?? 0}, ${money.refundedBonusFen ?? 0})
    returning id`);
  if (isLive(state)) {
    await db.run(sql`
      insert into live_order (tenant_id, cabinet_id, compartment_no, order_id, code_hash, overdue_at)
      values (${tenantId}, ${cabinetId}, ${no}, ${id}, ${randomBytes(32)}, now() + interval '1 day')`);
  }
  return id;
}

/** Inserts the payment of an order: wallet, journal and legs. */
export async function insertPayment(
  db: Db,
  paid: {
    tenantId: number;
    orderId: number;
    endUserId: number;
    principalFen: number;
    bonusFen: number;
  },
): Promise<void> {
  const { tenantId, orderId, endUserId, principalFen, bonusFen } = paid;
  await db.run(sql`
    update wallet set principal_fen = principal_fen - ${principalFen},
      bonus_fen = bonus_fen - ${bonusFen}
    where tenant_id = ${tenantId} and end_user_id = ${endUserId}`);
  await db.run(sql`
    with journal as (
      insert into ledger_journal (tenant_id, kind, biz_type, biz_id, order_id, end_user_id,
        principal_fen, bonus_fen, principal_after_fen, bonus_after_fen, actor_kind, actor_name)
      select ${tenantId}, 'PAYMENT', 'TEST_PAYMENT', ${String(orderId)}, ${orderId}, ${endUserId},
        ${-principalFen}, ${-bonusFen}, wallet.principal_fen, wallet.bonus_fen, 'END_USER', '张三'
      from wallet where wallet.tenant_id = ${tenantId} and wallet.end_user_id = ${endUserId}
      returning tenant_id, id
    )
    insert into ledger_leg (tenant_id, journal_id, account, amount_fen)
    select tenant_id, id, account, fen from journal, (values
      ('WALLET_PRINCIPAL', ${-principalFen}::bigint), ('WALLET_BONUS', ${-bonusFen}::bigint),
      ('ORDER_INCOME', ${principalFen + bonusFen}::bigint)) leg (account, fen)
    where fen <> 0`);
}
