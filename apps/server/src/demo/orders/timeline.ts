// Timeline of a demo order: its events in order, each transition checked against the order's state machine.
import {
  doorSideFor,
  nextOrderState,
  type OpenPurpose,
  type OrderEventKind,
  type OrderHappening,
  refundedFen,
} from "@cabinet/contract/orders/order/order.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { type Actor, MINUTE, SECOND } from "../fleet/cabinet.ts";
import type { DemoPerson } from "../organization/person.ts";
import type { DemoOrder } from "./order.ts";

export interface DemoOrderEvent {
  at: number;
  kind: OrderEventKind;
  from: OrderState | null;
  to: OrderState | null;
  /** An account of the tenant, a person, or null: the system. */
  by: Actor | DemoPerson | null;
  commandId: string | null;
  detail: object;
}

type Step = Omit<DemoOrderEvent, "from" | "to"> & { happening?: OrderHappening };

/** Also returns the final state and the purpose of the last opening. */
export function timelineOf(
  order: DemoOrder,
  now: number,
): { events: DemoOrderEvent[]; state: OrderState; purpose: OpenPurpose } {
  const steps = stepsOf(order, now).sort((one, other) => one.at - other.at);
  let state: OrderState = "PENDING";
  let purpose: OpenPurpose = "DEPOSIT";
  const events = steps.flatMap(({ happening, ...step }): DemoOrderEvent[] => {
    if (step.kind === "CREATED") return [{ ...step, from: null, to: state }];
    if (!happening) return [{ ...step, from: null, to: null }];
    const from = state;
    const to = nextOrderState(state, happening);
    // An order in EXCEPTION does not become overdue.
    if (!to && happening.kind === "BECAME_OVERDUE") return [];
    if (!to) throw new Error(`${step.kind} cannot happen to an order that is ${state}`);
    state = to;
    if (happening.kind === "DOOR_OPENED") purpose = happening.purpose;
    return [{ ...step, from, to }];
  });
  return { events, state, purpose };
}

function stepsOf(order: DemoOrder, now: number): Step[] {
  const { visit, rider, recipient } = order;
  const steps: Step[] = [];
  const plain = { commandId: null, detail: {} };
  const owner = rider ?? recipient;
  steps.push({ at: visit.createdAt, kind: "CREATED", by: owner, ...plain });
  addDeposit(steps, order, owner);
  for (const failure of visit.failures) {
    const { commandId, purpose } = failure;
    const by = failure.actor ?? takerOf(order);
    const asked = { purpose, side: doorSideFor(order.side, purpose) };
    const detail = { purpose, commandState: failure.state };
    steps.push({ at: failure.askedAt, kind: "OPEN_REQUESTED", by, commandId, detail: asked });
    steps.push({ at: failure.settledAt, kind: "DOOR_NOT_OPENED", by: null, commandId, detail });
  }
  addOverdue(steps, order, now);
  if (visit.exception) {
    const { at, actor, reason } = visit.exception;
    const happening = { kind: "MARKED_EXCEPTION" } as const;
    steps.push({
      at,
      kind: "EXCEPTION",
      by: actor,
      commandId: null,
      detail: { reason },
      happening,
    });
  }
  addTaking(steps, order);
  if (visit.cleared) {
    const { at, actor, reason } = visit.cleared;
    const happening = { kind: "CLEARED" } as const;
    steps.push({ at, kind: "CLEARED", by: actor, commandId: null, detail: { reason }, happening });
  }
  if (order.refund) {
    const { at, principalFen, bonusFen, reason } = order.refund;
    const detail = { fen: refundedFen(order.money), principalFen, bonusFen, reason };
    steps.push({ at, kind: "REFUNDED", by: 1, commandId: null, detail });
  }
  return steps;
}

function takerOf({ visit, rider, recipient }: DemoOrder): DemoPerson {
  return visit.taking?.purpose === "TAKE_BACK" && rider ? rider : recipient;
}

function addDeposit(steps: Step[], { visit, side }: DemoOrder, owner: DemoPerson): void {
  const { deposit, cancelled } = visit;
  const purpose = "DEPOSIT";
  if (deposit) {
    const { commandId, askedAt, openedAt, closedAt } = deposit;
    const asked = { purpose, side: doorSideFor(side, purpose) };
    steps.push({ at: askedAt, kind: "OPEN_REQUESTED", by: owner, commandId, detail: asked });
    steps.push({
      at: openedAt,
      kind: "DOOR_OPENED",
      by: null,
      commandId,
      detail: { purpose, commandState: "CONFIRMED" },
      happening: { kind: "DOOR_OPENED", purpose },
    });
    const item = cancelled ? "EMPTY" : "PRESENT";
    const by = null;
    steps.push({ at: closedAt, kind: "DOOR_CLOSED", by, commandId: null, detail: { item } });
    if (!cancelled) {
      const happening = { kind: "DOOR_CLOSED", purpose, item, isOverdue: false } as const;
      steps.push({ at: closedAt + 1, kind: "STORED", by, commandId: null, detail: {}, happening });
      steps.push({ at: closedAt + 2, kind: "CODE_SENT", by, commandId: null, detail: {} });
    }
  }
  if (!cancelled) return;
  const { at, isTimeOut } = cancelled;
  const kind = isTimeOut ? "DEPOSIT_TIMED_OUT" : "CANCELLED";
  const reason = isTimeOut ? "超时未存入" : "骑手取消";
  steps.push({
    at,
    kind: "CANCELLED",
    by: isTimeOut ? null : owner,
    commandId: null,
    detail: { reason },
    happening: { kind, item: "EMPTY", isDoorOpen: false },
  });
}

function addOverdue(steps: Step[], order: DemoOrder, now: number): void {
  const { storedAt, extended, pricing, visit } = order;
  if (storedAt === null) return;
  const until = visit.taking?.askedAt ?? order.endedAt ?? now;
  const add = (since: number) => {
    const at = since + (order.id % 60) * SECOND;
    const happening = { kind: "BECAME_OVERDUE" } as const;
    if (at < until) {
      steps.push({ at, kind: "OVERDUE", by: null, commandId: null, detail: {}, happening });
    }
  };
  const first = storedAt + pricing.rule.overdueAfterMinutes * MINUTE;
  add(first);
  if (!extended || (visit.exception && visit.exception.at < extended.at)) return;
  const detail = { from: iso(first), until: iso(extended.until), reason: "用户来电，约定次日取件" };
  const happening = { kind: "EXTENDED" } as const;
  steps.push({ at: extended.at, kind: "EXTENDED", by: 1, commandId: null, detail, happening });
  add(extended.until);
}

const iso = (at: number) => new Date(at).toISOString();

function addTaking(steps: Step[], order: DemoOrder): void {
  const { visit, money, side, card, paidAt } = order;
  if (!visit.taking) return;
  const { purpose, commandId, askedAt, openedAt, closedAt } = visit.taking;
  const taker = takerOf(order);
  const { helper } = visit;
  const { coveredFen, paidPrincipalFen: principalFen, paidBonusFen: bonusFen } = money;
  const chargedFen = principalFen + bonusFen;
  const asked = {
    ...{ purpose, side: doorSideFor(side, purpose), chargedFen, coveredFen },
    ...(helper && { reason: helper.reason }),
  };
  const by = helper?.actor ?? taker;
  steps.push({ at: askedAt, kind: "OPEN_REQUESTED", by, commandId, detail: asked });
  if (card) {
    const detail = { fen: coveredFen, userPackageId: card.id };
    steps.push({ at: askedAt + 1, kind: "COVERED", by: taker, commandId: null, detail });
  }
  steps.push({
    at: openedAt,
    kind: "DOOR_OPENED",
    by: null,
    commandId,
    detail: { purpose, commandState: "CONFIRMED" },
    happening: { kind: "DOOR_OPENED", purpose },
  });
  if (paidAt !== null) {
    const detail = { fen: chargedFen, principalFen, bonusFen, payerId: taker.id };
    steps.push({ at: openedAt + 1, kind: "PAID", by: taker, commandId: null, detail });
  }
  const item = "EMPTY";
  steps.push({ at: closedAt, kind: "DOOR_CLOSED", by: null, commandId: null, detail: { item } });
  steps.push({
    at: closedAt + 1,
    kind: ({ TAKE_BACK: "TAKEN_BACK", PICKUP: "COMPLETED" } as const)[purpose],
    by: null,
    commandId: null,
    detail: {},
    happening: { kind: "DOOR_CLOSED", purpose, item, isOverdue: false },
  });
}
