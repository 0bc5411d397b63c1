// Actors of orders and money for app users.
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { Actor } from "../../../platform/actor.ts";
import type { EndUser } from "../../../platform/context.ts";

export function actorOf({ endUserId, name, phone }: EndUser): Actor {
  return { kind: "END_USER", id: endUserId, name: name || maskPhone(phone) };
}

/** A person with the pickup code only: the recipient, or somebody the recipient gave it to. */
export const bearer: Actor = { kind: "END_USER", id: null, name: "凭取件码" };
