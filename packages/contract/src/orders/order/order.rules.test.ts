// Tests the order state machine: no dead ends, goods are never lost sight of, amounts are never
// negative.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DOOR_SIDES, ITEM_STATES } from "../../vocabulary/hardware.rules.ts";
import { ORDER_STATES, type OrderState } from "../../vocabulary/order.rules.ts";
import {
  doorSideFor,
  hasGoods,
  isLive,
  mayOpenFor,
  mostReserved,
  nextOrderState,
  OPEN_PURPOSES,
  type OrderHappening,
  type OrderMoney,
  owedFen,
  paidFen,
  payStatusOf,
  refundedFen,
} from "./order.rules.ts";

const state = fc.constantFrom(...ORDER_STATES);
const purpose = fc.constantFrom(...OPEN_PURPOSES);
const item = fc.constantFrom(...ITEM_STATES);
const happening: fc.Arbitrary<OrderHappening> = fc.oneof(
  fc.record({ kind: fc.constant("DOOR_OPENED" as const), purpose }),
  fc.record({
    ...{ kind: fc.constant("DOOR_CLOSED" as const), purpose, item },
    isOverdue: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom("DEPOSIT_TIMED_OUT" as const, "CANCELLED" as const),
    ...{ item, isDoorOpen: fc.boolean() },
  }),
  fc.record({
    kind: fc.constantFrom(
      ...([
        "BECAME_OVERDUE",
        "EXTENDED",
        "FORCE_COMPLETED",
        "CLEARED",
        "MARKED_EXCEPTION",
      ] as const),
    ),
  }),
);

/** States that a sequence of happenings passes through; impossible happenings are skipped. */
function live(happenings: readonly OrderHappening[]): OrderState[] {
  const states: OrderState[] = ["PENDING"];
  for (const each of happenings) {
    const next = nextOrderState(states.at(-1) as OrderState, each);
    if (next) states.push(next);
  }
  return states;
}

describe("order state machine", () => {
  it("goods can be taken out of every state that has goods by one opening and one closing", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), fc.boolean(), (happenings, isRider) => {
        const at = live(happenings).at(-1) as OrderState;
        fc.pre(hasGoods(at));
        const out = isRider ? "TAKE_BACK" : "PICKUP";
        expect(mayOpenFor(at, out)).toBe(true);
        const opened = nextOrderState(at, { kind: "DOOR_OPENED", purpose: out });
        expect(opened).toBe("PICKING");
        const closing = { kind: "DOOR_CLOSED", purpose: out, isOverdue: false } as const;
        for (const left of ["EMPTY", "UNKNOWN"] as const) {
          const end = nextOrderState("PICKING", { ...closing, item: left });
          expect(end).toBe(isRider ? "TAKEN_BACK" : "COMPLETED");
        }
      }),
    );
  });

  it("every live order can be cleared, and a final state never changes", () => {
    fc.assert(
      fc.property(state, happening, (at, each) => {
        if (isLive(at)) expect(nextOrderState(at, { kind: "CLEARED" })).toBe("ADMIN_CLEARED");
        else expect(nextOrderState(at, each)).toBeNull();
      }),
    );
  });

  it("an order with goods seen by the sensor stays live unless a person ends it", () => {
    fc.assert(
      fc.property(state, happening, (at, each) => {
        fc.pre("item" in each && each.item === "PRESENT" && at !== "PENDING");
        const next = nextOrderState(at, each);
        if (next) expect(isLive(next)).toBe(true);
      }),
    );
  });

  it("deposit that may hold goods: cancelling is refused, a time-out makes it an exception", () => {
    for (const [kind, otherwise] of [
      ["CANCELLED", null],
      ["DEPOSIT_TIMED_OUT", "EXCEPTION"],
    ] as const) {
      for (const seen of ITEM_STATES) {
        const next = nextOrderState("DEPOSITING", { kind, item: seen, isDoorOpen: true });
        expect(next).toBe(otherwise);
      }
      const shut = { kind, isDoorOpen: false } as const;
      expect(nextOrderState("DEPOSITING", { ...shut, item: "EMPTY" })).toBe("CANCELLED");
      expect(nextOrderState("DEPOSITING", { ...shut, item: "UNKNOWN" })).toBe(otherwise);
    }
  });

  it("doors open for pickup only after the deposit, and for a deposit only before", () => {
    fc.assert(
      fc.property(state, purpose, (at, request) => {
        const isIn = hasGoods(at);
        expect(mayOpenFor(at, request)).toBe(isLive(at) && (request === "DEPOSIT") !== isIn);
      }),
    );
  });

  it("every state is reachable", () => {
    const seen = new Set(
      fc
        .sample(fc.array(happening, { maxLength: 40 }), { numRuns: 3_000, seed: 1 })
        .flatMap((happenings) => live(happenings)),
    );
    expect([...seen].sort()).toEqual([...ORDER_STATES].sort());
  });

  it("a double-sided compartment uses the back for deposits and the front for pickup", () => {
    expect(doorSideFor("DOUBLE", "DEPOSIT")).toBe("BACK");
    expect(doorSideFor("DOUBLE", "TAKE_BACK")).toBe("BACK");
    expect(doorSideFor("DOUBLE", "PICKUP")).toBe("FRONT");
    for (const request of OPEN_PURPOSES) {
      expect(doorSideFor("SINGLE", request)).toBe("FRONT");
      expect(DOOR_SIDES).toContain(doorSideFor("DOUBLE", request));
    }
  });
});

describe("money of an order", () => {
  const fen = fc.integer({ min: 0, max: 100_000 });
  const money: fc.Arbitrary<OrderMoney> = fc
    .record({
      ...{ priceFen: fen, coveredFen: fen, waivedFen: fen },
      ...{ paidPrincipalFen: fen, paidBonusFen: fen },
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ part, ...of }) => ({
      ...of,
      refundedPrincipalFen: Math.floor(of.paidPrincipalFen * part),
      refundedBonusFen: Math.floor(of.paidBonusFen * part),
    }));

  it("no amount is negative, and paying what is owed leaves nothing owed", () => {
    fc.assert(
      fc.property(money, (of) => {
        const owed = owedFen(of);
        expect(owed).toBeGreaterThanOrEqual(0);
        const after = { ...of, paidPrincipalFen: of.paidPrincipalFen + owed };
        expect(owedFen(after)).toBe(0);
        if (owed > 0)
          expect(owedFen({ ...after, paidPrincipalFen: after.paidPrincipalFen - 1 })).toBe(1);
        expect(owedFen({ ...of, waivedFen: of.waivedFen + owed })).toBe(0);
      }),
    );
  });

  it("status is UNPAID exactly when something is owed and nothing was refunded", () => {
    fc.assert(
      fc.property(money, (of) => {
        const status = payStatusOf(of);
        const [paid, refunded] = [paidFen(of), refundedFen(of)];
        if (refunded > 0) expect(status).toBe(refunded === paid ? "REFUNDED" : "PARTIAL_REFUND");
        else if (owedFen(of) > 0) expect(status).toBe("UNPAID");
        else expect(status).toBe(paid > 0 ? "PAID" : "NONE");
      }),
    );
  });

  it("refunded amounts are not owed again", () => {
    fc.assert(
      fc.property(money, (of) => {
        const kept = { ...of, refundedPrincipalFen: 0, refundedBonusFen: 0 };
        expect(owedFen(of)).toBe(owedFen(kept));
      }),
    );
  });
});

it.each([
  [0, 33, 2],
  [3, 33, 2],
  [9, 33, 3],
  [12, 33, 4],
  [100, 33, 33],
  [100, 1, 2],
  [7, 100, 7],
])("of %i compartments at %i %%, an application reserves at most %i", (total, percent, most) => {
  expect(mostReserved(total, percent)).toBe(most);
});
