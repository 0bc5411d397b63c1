// The people of the app as actors of orders and money.
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { Actor } from "../../platform/actor.ts";
import type { EndUser } from "../../platform/context.ts";

export function actorOf({ endUserId, name, phone }: EndUser): Actor {
  return { kind: "END_USER", id: endUserId, name: name || maskPhone(phone) };
}

/** Whoever has nothing but the code; the recipient gave it to them, or is them. */
export const bearer: Actor = { kind: "END_USER", id: null, name: "凭取件码" };
