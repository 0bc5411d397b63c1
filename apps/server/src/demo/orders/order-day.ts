// Daily figures of the demo's orders, as folding their deltas would give.
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { paidFen, refundedFen } from "@cabinet/contract/orders/order/order.rules.ts";
import { MINUTE } from "../fleet/cabinet.ts";
import type { OrderWithTimeline } from "./order-rows.ts";

const figures = {
  started: 0,
  stored: 0,
  completed: 0,
  overdue: 0,
  income_fen: 0,
  bonus_fen: 0,
  refund_fen: 0,
  stay_minutes: 0,
  openings: 0,
  opened: 0,
};

export function orderDayRows(orders: readonly OrderWithTimeline[]) {
  const days = new Map<string, ReturnType<typeof newDay>>();
  for (const order of orders) {
    const add = (at: number, change: Partial<typeof figures>) => {
      const key = `${order.story.cabinetId} ${shanghaiDay(at)}`;
      const day = days.get(key) ?? newDay(order, at);
      days.set(key, day);
      for (const [name, more] of Object.entries(change)) day[name as keyof typeof figures] += more;
    };
    addOrder(order, add);
  }
  return [...days.values()];
}

function newDay({ tenantId, side, story }: OrderWithTimeline, at: number) {
  const { storeId, cabinetId } = story;
  const place = { tenant_id: tenantId, day: shanghaiDay(at), side, store_id: storeId };
  return { ...place, cabinet_id: cabinetId, ...figures };
}

function addOrder(
  order: OrderWithTimeline,
  add: (at: number, change: Partial<typeof figures>) => void,
): void {
  const { visit, money, storedAt, endedAt, paidAt, refund } = order;
  add(visit.createdAt, { started: 1 });
  if (storedAt !== null) {
    add(storedAt, { stored: 1 });
    if (endedAt !== null) {
      add(endedAt, { completed: 1, stay_minutes: Math.ceil((endedAt - storedAt) / MINUTE) });
    }
  }
  for (const { kind, at } of order.events) if (kind === "OVERDUE") add(at, { overdue: 1 });
  if (paidAt !== null) add(paidAt, { income_fen: paidFen(money), bonus_fen: money.paidBonusFen });
  if (refund) add(refund.at, { refund_fen: refundedFen(money) });
  for (const opening of [visit.deposit, visit.taking]) {
    if (opening) add(opening.openedAt, { openings: 1, opened: 1 });
  }
  for (const { settledAt } of visit.failures) add(settledAt, { openings: 1 });
}
