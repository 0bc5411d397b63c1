// Mount: pairs the calls of a contract with their handlers, so that none is without one.
import type { Contract, EndpointSpec, Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { AppCtx, Ctx, PartnerCtx, PublicCtx } from "./context.ts";
import type { Refusal } from "./errors.ts";

type CtxOf<Spec extends EndpointSpec> = Spec["access"] extends "public"
  ? PublicCtx
  : Spec["access"] extends "end-user"
    ? AppCtx
    : Spec["access"] extends "partner"
      ? PartnerCtx
      : Ctx;

/** Throwing a Refusal undoes the call; returning one keeps what was written, such as a counted failure. */
export type Handler<Spec extends EndpointSpec> = (
  ctx: CtxOf<Spec>,
  input: Input<Spec>,
) => Promise<Reply<Spec> | Refusal>;

export interface Route {
  spec: EndpointSpec;
  handler: (ctx: Ctx | AppCtx | PartnerCtx | PublicCtx, input: unknown) => Promise<unknown>;
}

export function mount<C extends Contract>(
  contract: C,
  handlers: { [Key in keyof C]: Handler<C[Key]> },
): Route[] {
  return Object.entries(contract).map(([key, spec]) => ({
    spec,
    handler: handlers[key as keyof C] as Route["handler"],
  }));
}
