// Actor of an order, door or money action: a console account, an end user, or the system.
import type { ActorKind } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { MoneyReview, Session } from "./context.ts";

export interface Actor {
  kind: ActorKind;
  /** Null for the system, and for a person who only knows a pickup code. */
  id: number | null;
  /** Name in timelines and journals; an account's signature. */
  name: string;
  /** A console account has one: its own tenant, and whether its session was proven in the last minutes. */
  proof?: { homeTenantId: number; isRecent: boolean; review?: MoneyReview | undefined };
}

export const systemActor: Actor = { kind: "SYSTEM", id: null, name: "系统" };

/**
 * Name and account of a person, as records keep them. The name is its owner's to change, at any time and back again; the
 * account is not.
 */
export function signatureOf({
  displayName,
  username,
}: {
  displayName: string;
  username: string;
}): string {
  return displayName === username ? username : `${displayName}（${username}）`;
}

export function operatorActor(session: Session): Actor {
  const { operatorId, signature, homeTenantId, isProvenRecently, review } = session;
  const proof = { homeTenantId, isRecent: isProvenRecently, review };
  return { kind: "OPERATOR", id: operatorId, name: signature, proof };
}
