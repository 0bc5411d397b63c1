// Maps the demo's orders, wallets and journals to table rows.
import { randomBytes } from "node:crypto";
import { legsOf } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import {
  isLive,
  isPriceRunning,
  openPurposeText,
  payStatusOf,
} from "@cabinet/contract/orders/order/order.rules.ts";
import { DAY, MINUTE } from "../fleet/cabinet.ts";
import type { DemoJournal, DemoMoney, DemoTopUp } from "../money/money.ts";
import type { DemoActor } from "../organization/account.ts";
import { type DemoPerson, LOCK_DAYS, LOCK_REASON } from "../organization/person.ts";
import type { DemoOrder } from "./order.ts";
import type { timelineOf } from "./timeline.ts";

export type OrderWithTimeline = DemoOrder & ReturnType<typeof timelineOf>;

const time = (ms: number) => new Date(ms).toISOString();
const timeOrNull = (ms: number | null) => (ms === null ? null : time(ms));

export function personRow(person: DemoPerson) {
  return {
    tenant_id: person.tenantId,
    phone: person.phone,
    name: person.name,
    created_at: time(person.createdAt),
    last_seen_at: timeOrNull(person.seenAt),
    state: person.lockedAt === null ? "ACTIVE" : "LOCKED",
    locked_at: timeOrNull(person.lockedAt),
    locked_until: timeOrNull(person.lockedAt === null ? null : person.lockedAt + LOCK_DAYS * DAY),
    lock_reason: person.lockedAt === null ? null : LOCK_REASON,
  };
}

export function walletRows({ purses }: DemoMoney) {
  return [...purses].map(([person, { principalFen, bonusFen }]) => ({
    tenant_id: person.tenantId,
    end_user_id: person.id,
    principal_fen: principalFen,
    bonus_fen: bonusFen,
  }));
}

/** Minutes up to the request that fixed the price; null while it runs. */
function chargedMinutesOf({ visit, storedAt, state }: OrderWithTimeline): number | null {
  const until = visit.taking?.askedAt ?? visit.cleared?.at ?? null;
  if (storedAt === null || until === null || isPriceRunning(state)) return null;
  return Math.ceil((until - storedAt) / MINUTE);
}

export function orderRow(order: OrderWithTimeline) {
  const { story, visit, money } = order;
  return {
    tenant_id: order.tenantId,
    id: order.id,
    created_at: time(visit.createdAt),
    side: order.side,
    cabinet_id: story.cabinetId,
    store_id: story.storeId,
    compartment_no: visit.no,
    size: visit.size,
    state: order.state,
    purpose: order.purpose,
    pay_status: payStatusOf(money),
    third_party_no: order.thirdPartyNo,
    rider_id: order.rider?.id ?? null,
    recipient_id: order.recipient.id,
    item_note: order.itemNote,
    pricing: order.pricing,
    stored_at: timeOrNull(order.storedAt),
    overdue_at: timeOrNull(order.overdueAt),
    ended_at: timeOrNull(order.endedAt),
    charged_minutes: chargedMinutesOf(order),
    price_fen: money.priceFen,
    covered_fen: money.coveredFen,
    waived_fen: money.waivedFen,
    paid_principal_fen: money.paidPrincipalFen,
    paid_bonus_fen: money.paidBonusFen,
    refunded_principal_fen: money.refundedPrincipalFen,
    refunded_bonus_fen: money.refundedBonusFen,
    user_package_id: order.card?.id ?? null,
    exception_reason: order.state === "EXCEPTION" ? (visit.exception?.reason ?? null) : null,
  };
}

export function liveRows(orders: readonly OrderWithTimeline[]) {
  return orders
    .filter(({ state }) => isLive(state))
    .map((order) => ({
      tenant_id: order.tenantId,
      cabinet_id: order.story.cabinetId,
      compartment_no: order.visit.no,
      order_id: order.id,
      // Hash of a random value nobody knows: an operator can send a new code.
      code_hash: `\\x${randomBytes(32).toString("hex")}`,
      overdue_at: order.state === "STORED" ? timeOrNull(order.overdueAt) : null,
    }));
}

export function orderEventRows(order: OrderWithTimeline) {
  return order.events.map((event) => ({
    tenant_id: order.tenantId,
    order_id: order.id,
    at: time(event.at),
    kind: event.kind,
    from_state: event.from,
    to_state: event.to,
    ...actorColumns(event.by, order.story.actors),
    command_id: event.commandId,
    detail: event.detail,
  }));
}

function actorColumns(by: number | DemoPerson | null, actors: readonly DemoActor[]) {
  if (by === null) return { actor_kind: "SYSTEM", actor_id: null, actor_name: "系统" };
  if (typeof by !== "number") {
    return { actor_kind: "END_USER", actor_id: by.id, actor_name: by.name };
  }
  const { operatorId, signature } = actors[by] as DemoActor;
  return { actor_kind: "OPERATOR", actor_id: operatorId, actor_name: signature };
}

/** Requester of a door, and its order. */
export interface Errand {
  orderId: number;
  purpose: string;
  reason: string;
  person: DemoPerson;
}

/** Errands by command id. */
export function errandsOf(orders: readonly OrderWithTimeline[]): Map<string, Errand> {
  const errands = new Map<string, Errand>();
  for (const { id: orderId, visit, rider, recipient } of orders) {
    const { deposit, taking, failures } = visit;
    const depositor = rider ?? recipient;
    const taker = { TAKE_BACK: depositor, PICKUP: recipient }[taking?.purpose ?? "PICKUP"];
    const add = (commandId: string, purpose: keyof typeof openPurposeText, person: DemoPerson) =>
      errands.set(commandId, { orderId, purpose, reason: openPurposeText[purpose], person });
    if (deposit) add(deposit.commandId, "DEPOSIT", depositor);
    if (taking) add(taking.commandId, taking.purpose, taker);
    for (const { commandId, purpose } of failures) add(commandId, purpose, taker);
  }
  return errands;
}

export function topUpRow(topUp: DemoTopUp, keeper: DemoActor) {
  const { person, channel } = topUp;
  const isCash = channel === "CASH";
  return {
    tenant_id: person.tenantId,
    end_user_id: person.id,
    channel,
    state: "PAID",
    principal_fen: topUp.principalFen,
    bonus_fen: topUp.bonusFen,
    package_id: topUp.sold?.id ?? null,
    out_trade_no: topUp.outTradeNo,
    transaction_no: topUp.transactionNo,
    created_at: time(topUp.createdAt),
    paid_at: time(topUp.paidAt),
    actor_kind: isCash ? "OPERATOR" : "END_USER",
    actor_id: isCash ? keeper.operatorId : person.id,
    actor_name: isCash ? keeper.signature : person.name,
    reason: isCash ? "门店收取现金，代用户充值" : null,
  };
}

export function cardRow({
  person,
  sold,
  boughtAt,
  expiresAt,
  usesLeft,
}: DemoMoney["cards"][number]) {
  return {
    tenant_id: person.tenantId,
    end_user_id: person.id,
    package_id: sold.id,
    name: sold.name,
    kind: sold.kind,
    sides: sold.sides,
    price_fen: sold.priceFen,
    cover_limit_fen: sold.coverLimitFen,
    uses: sold.uses,
    uses_left: usesLeft,
    bought_at: time(boughtAt),
    expires_at: time(expiresAt),
  };
}

export function holdRow({ order, person, ...hold }: DemoMoney["holds"][number]) {
  return {
    tenant_id: person.tenantId,
    end_user_id: person.id,
    order_id: order.id,
    principal_fen: hold.principalFen,
    bonus_fen: hold.bonusFen,
    state: "POSTED",
    created_at: time(hold.at),
    settled_at: time(hold.settledAt),
  };
}

export function journalRow(
  journal: DemoJournal,
  biz: { type: string; id: string },
  keeper: DemoActor,
) {
  const { person, order, after } = journal;
  return {
    tenant_id: person.tenantId,
    at: time(journal.at),
    kind: journal.kind,
    biz_type: biz.type,
    biz_id: biz.id,
    order_id: order?.id ?? null,
    side: order?.side ?? null,
    end_user_id: person.id,
    principal_fen: journal.principalFen,
    bonus_fen: journal.bonusFen,
    principal_after_fen: after.principalFen,
    bonus_after_fen: after.bonusFen,
    ...actorColumns(journal.actor === null ? person : journal.actor, [keeper, keeper]),
    reason: journal.reason,
  };
}

export function legRows(journal: DemoJournal, journalId: number) {
  return legsOf(journal).map(({ account, amountFen }) => ({
    tenant_id: journal.person.tenantId,
    journal_id: journalId,
    account,
    amount_fen: amountFen,
  }));
}

export function useRow({ order, card, fen, at }: DemoMoney["uses"][number]) {
  return {
    tenant_id: order.tenantId,
    order_id: order.id,
    user_package_id: card.id,
    fen,
    used_at: time(at),
  };
}
