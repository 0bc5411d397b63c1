// Order actions: each is either allowed by the order rules or has a reason for being blocked.
import type { Order } from "@cabinet/contract/orders/order/order.contract.ts";
import { isLive } from "@cabinet/contract/orders/order/order.rules.ts";
import { ORDER_STATES, type OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ACTIONS,
  type Action,
  blockedBy,
  purposesOf,
  refundableFen,
} from "./order-actions.rules.ts";

const fen = fc.nat(10_000);
const money = fc
  .record({ paidPrincipalFen: fen, paidBonusFen: fen, principal: fc.nat(100), bonus: fc.nat(100) })
  .map(({ principal, bonus, ...paid }) => ({
    ...paid,
    refundedPrincipalFen: Math.floor((paid.paidPrincipalFen * principal) / 100),
    refundedBonusFen: Math.floor((paid.paidBonusFen * bonus) / 100),
  }));
const someOrder = fc
  .record({ state: fc.constantFrom(...ORDER_STATES), money })
  .map(({ state, money: part }) => ({ state, ...part }) as Order);

const allowed = (action: Action): OrderState[] =>
  ORDER_STATES.filter((state) => blockedBy(action, { state } as Order) === null);

describe("order actions", () => {
  it.each<[Action, OrderState[]]>([
    ["open", ["PENDING", "DEPOSITING", "STORED", "OVERDUE", "PICKING", "EXCEPTION"]],
    ["showCode", ["STORED", "OVERDUE", "PICKING", "EXCEPTION"]],
    ["resendCode", ["STORED", "OVERDUE", "PICKING", "EXCEPTION"]],
    ["changeRecipient", ["STORED", "OVERDUE"]],
    ["extend", ["STORED", "OVERDUE"]],
    ["complete", ["STORED", "OVERDUE", "PICKING", "EXCEPTION"]],
    ["cancel", ["PENDING", "DEPOSITING"]],
    ["markException", ["PENDING", "DEPOSITING", "STORED", "OVERDUE", "PICKING"]],
  ])("%s is allowed in exactly %j", (action, states) => {
    expect(allowed(action).sort()).toEqual([...states].sort());
  });

  it("give a reason wherever they are blocked", () => {
    fc.assert(
      fc.property(someOrder, fc.constantFrom(...ACTIONS), (order, action) => {
        const blocked = blockedBy(action, order);
        expect(blocked === null || blocked.length > 3).toBe(true);
      }),
    );
  });

  it("open a door exactly while the order occupies its compartment", () => {
    for (const state of ORDER_STATES) {
      expect(purposesOf({ state }).length > 0).toBe(isLive(state));
    }
  });

  it("refund only while money is refundable, and never more than was paid", () => {
    fc.assert(
      fc.property(someOrder, (order) => {
        const left = refundableFen(order);
        expect(left).toBeGreaterThanOrEqual(0);
        expect(blockedBy("refund", order) === null).toBe(left > 0);
      }),
    );
  });
});
