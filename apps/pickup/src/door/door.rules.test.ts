// The phase at a door never claims more than command, door and order prove.
import {
  COMMAND_STATES,
  type CommandState,
} from "@cabinet/contract/fleet/command/command.rules.ts";
import { OPEN_PURPOSES } from "@cabinet/contract/orders/order/order.rules.ts";
import { DOOR_STATES } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { ORDER_STATES } from "@cabinet/contract/vocabulary/order.rules.ts";
import { constantFrom, assert as holds, property, record } from "fast-check";
import { expect, test } from "vitest";
import { type DoorFacts, isOver, phaseOf } from "./door.rules.ts";

const deposit = { purpose: "DEPOSIT", door: "CLOSED", orderState: "PENDING" } as const;
const pickup = { purpose: "PICKUP", door: "CLOSED", orderState: "STORED" } as const;

test("deposit: from the request to the goods inside", () => {
  for (const state of ["QUEUED", "SENT", "ACKED"] as const) {
    expect(phaseOf({ ...deposit, state })).toBe("OPENING");
  }
  const opened = { ...deposit, state: "CONFIRMED", orderState: "DEPOSITING" } as const;
  expect(phaseOf({ ...opened, door: "OPEN" })).toBe("OPEN");
  expect(phaseOf({ ...opened, orderState: "STORED" })).toBe("STORED");
});

test("deposit: a door that closed on an empty compartment says so", () => {
  expect(phaseOf({ ...deposit, state: "CONFIRMED", orderState: "DEPOSITING" })).toBe("NOTHING_IN");
});

test("pickup: a door that closed on goods says so, and an order that ended is done", () => {
  expect(phaseOf({ ...pickup, state: "CONFIRMED" })).toBe("STILL_INSIDE");
  expect(phaseOf({ ...pickup, state: "CONFIRMED", orderState: "PICKING" })).toBe("OPEN");
  expect(phaseOf({ ...pickup, state: "CONFIRMED", orderState: "COMPLETED" })).toBe("TAKEN");
});

test("failures: jammed, not tried and unknown are three things", () => {
  const states: [CommandState, string][] = [
    ["NOT_CONFIRMED", "JAMMED"],
    ["REJECTED", "REFUSED"],
    ["EXPIRED", "REFUSED"],
    ["FAILED", "REFUSED"],
    ["UNKNOWN", "IN_DOUBT"],
  ];
  for (const [state, phase] of states) {
    expect(phaseOf({ ...deposit, state })).toBe(phase);
    expect(phaseOf({ ...pickup, state })).toBe(phase);
  }
  expect(phaseOf({ ...pickup, state: "UNKNOWN", door: "OPEN" })).toBe("OPEN");
});

const anything = record<DoorFacts>({
  purpose: constantFrom(...OPEN_PURPOSES),
  state: constantFrom(...COMMAND_STATES),
  door: constantFrom(...DOOR_STATES),
  orderState: constantFrom(...ORDER_STATES),
});

test("success is claimed only when the order proves it", () => {
  holds(
    property(anything, (facts) => {
      const phase = phaseOf(facts);
      if (phase === "TAKEN") expect(["COMPLETED", "TAKEN_BACK"]).toContain(facts.orderState);
      if (phase === "STORED") expect(["PENDING", "DEPOSITING"]).not.toContain(facts.orderState);
      if (facts.orderState === "PENDING") expect(isOver(phase)).toBe(false);
    }),
  );
});
