// Pure rules of the screen at a door: the phase that command, door and order together prove.
import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import { isLive, type OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import type { DoorState } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";

/**
 * OPENING: no result yet. OPEN: goods can go in or out. JAMMED: the lock was released and the door stayed shut.
 * REFUSED: the cabinet did not try. IN_DOUBT: nothing is known. NOTHING_IN, STILL_INSIDE: the door closed without
 * its purpose. STORED, TAKEN: done. ENDED: the order ended otherwise. HANDED_OVER: staff look after the order.
 */
export type DoorPhase =
  | "OPENING"
  | "OPEN"
  | "JAMMED"
  | "REFUSED"
  | "IN_DOUBT"
  | "NOTHING_IN"
  | "STILL_INSIDE"
  | "STORED"
  | "TAKEN"
  | "ENDED"
  | "HANDED_OVER";

export interface DoorFacts {
  purpose: OpenPurpose;
  state: CommandState;
  door: DoorState;
  orderState: OrderState;
}

/** Nothing more happens at this door without a new request. */
export function isOver(phase: DoorPhase): boolean {
  return phase === "STORED" || phase === "TAKEN" || phase === "ENDED" || phase === "HANDED_OVER";
}

export function phaseOf({ purpose, state, door, orderState }: DoorFacts): DoorPhase {
  if (purpose === "DEPOSIT") {
    if (orderState === "EXCEPTION") return "HANDED_OVER";
    if (orderState !== "PENDING" && orderState !== "DEPOSITING") {
      return orderState === "CANCELLED" ? "ENDED" : "STORED";
    }
  } else if (!isLive(orderState)) {
    return orderState === "COMPLETED" || orderState === "TAKEN_BACK" ? "TAKEN" : "ENDED";
  }
  if (state === "CONFIRMED") return phaseOfOpened({ purpose, door, orderState });
  if (state === "NOT_CONFIRMED") return door === "OPEN" ? "OPEN" : "JAMMED";
  if (state === "UNKNOWN") return door === "OPEN" ? "OPEN" : "IN_DOUBT";
  if (state === "REJECTED" || state === "EXPIRED" || state === "FAILED") return "REFUSED";
  return "OPENING";
}

function phaseOfOpened(facts: Omit<DoorFacts, "state">): DoorPhase {
  const { purpose, door, orderState } = facts;
  if (door !== "CLOSED") return "OPEN";
  // The order follows the door: between the two reports it says what was before.
  if (purpose === "DEPOSIT") return orderState === "DEPOSITING" ? "NOTHING_IN" : "OPENING";
  return orderState === "PICKING" ? "OPEN" : "STILL_INSIDE";
}
