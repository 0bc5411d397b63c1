// One use of a compartment in the demo, as its doors tell it: what orders are made of.
import type { CommandState } from "@cabinet/contract/command/command.rules.ts";
import type { Size } from "@cabinet/contract/compartment/compartment.rules.ts";
import type { OpenPurpose } from "@cabinet/contract/order/order.rules.ts";
import type { Actor } from "./cabinet.ts";

/** A door that opened on command; times in ms since 1970, here and below. */
export interface DemoOpening {
  commandId: string;
  askedAt: number;
  openedAt: number;
  closedAt: number;
}

/** A door that was asked to open and did not. */
export interface DemoFailure {
  commandId: string;
  askedAt: number;
  settledAt: number;
  state: CommandState;
  purpose: OpenPurpose;
  /** Null: whoever the order names. */
  actor: Actor | null;
}

export interface DemoDeed {
  at: number;
  actor: Actor;
  reason: string;
}

export interface DemoVisit {
  no: number;
  size: Size;
  /** What is left to chance beyond its doors. */
  seed: number;
  createdAt: number;
  /** Null: the door was never opened for it. */
  deposit: DemoOpening | null;
  failures: DemoFailure[];
  /** An account of the console opened it for them: its reason. */
  helper: DemoDeed | null;
  taking: (DemoOpening & { purpose: "PICKUP" | "TAKE_BACK" }) | null;
  cancelled: { at: number; isTimeOut: boolean } | null;
  cleared: DemoDeed | null;
  exception: DemoDeed | null;
}

/** Its goods lie in the compartment. */
export function isStillIn({ taking, cancelled, cleared }: DemoVisit): boolean {
  return !taking && !cancelled && !cleared;
}
