// One use of a compartment in the demo, as its door events show; orders are built from these.

import type { CommandState } from "@cabinet/contract/fleet/command/command.rules.ts";
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { Actor } from "../fleet/cabinet.ts";

/** A door that opened by command; all times in ms since 1970. */
export interface DemoOpening {
  commandId: string;
  askedAt: number;
  openedAt: number;
  closedAt: number;
}

/** A requested opening that failed. */
export interface DemoFailure {
  commandId: string;
  askedAt: number;
  settledAt: number;
  state: CommandState;
  purpose: OpenPurpose;
  /** Null: the person named by the order. */
  actor: Actor | null;
}

export interface DemoAction {
  at: number;
  actor: Actor;
  reason: string;
}

export interface DemoVisit {
  no: number;
  size: Size;
  /** Random seed for everything besides its doors. */
  seed: number;
  createdAt: number;
  /** Null: the door was never opened for it. */
  deposit: DemoOpening | null;
  failures: DemoFailure[];
  /** Console account that opened the door for the person, with its reason. */
  helper: DemoAction | null;
  taking: (DemoOpening & { purpose: "PICKUP" | "TAKE_BACK" }) | null;
  cancelled: { at: number; isTimeOut: boolean } | null;
  cleared: DemoAction | null;
  exception: DemoAction | null;
}

/** The goods are still in the compartment. */
export function isStillIn({ taking, cancelled, cleared }: DemoVisit): boolean {
  return !taking && !cancelled && !cleared;
}
