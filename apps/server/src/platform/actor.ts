// Who does something with orders, doors and money: an account of the console, an end user, the system itself.
import type { ActorKind } from "@cabinet/contract/order/order.rules.ts";
import type { Session } from "./context.ts";

export interface Actor {
  kind: ActorKind;
  /** Null for the system, and for whoever only knows a pickup code. */
  id: number | null;
  /** As timelines and journals show it. */
  name: string;
}

export const systemActor: Actor = { kind: "SYSTEM", id: null, name: "系统" };

export function operatorActor(session: Session): Actor {
  return { kind: "OPERATOR", id: session.operatorId, name: session.displayName };
}
