// Pairs the calls of a contract with their handlers, so that none is without one.
import type { Contract, EndpointSpec, Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { AppCtx, Ctx, PartnerCtx, PrepareCtx, PublicCtx } from "../context.ts";
import type { Refusal } from "../errors.ts";

type CtxOf<Spec extends EndpointSpec> = Spec["access"] extends "public"
  ? PublicCtx
  : Spec["access"] extends "end-user"
    ? AppCtx
    : Spec["access"] extends "partner"
      ? PartnerCtx
      : Ctx;

/** Throwing a Refusal rolls the call back; returning one commits what was written, such as a counted failure. */
export type Handler<Spec extends EndpointSpec> = (
  ctx: CtxOf<Spec>,
  input: Input<Spec>,
) => Promise<Reply<Spec> | Refusal>;

/**
 * For slow work without the database, such as a password hash: `prepare` runs before the transaction, so that no
 * connection is held meanwhile, and returns the handler that runs in it. Signed-in calls only.
 */
export interface PreparedHandler<Spec extends EndpointSpec> {
  prepare(ctx: PrepareCtx, input: Input<Spec>): Promise<Handler<Spec>>;
}

/** `keepsPlan`: for these inputs one plan serves all executions; PostgreSQL plans once on each connection, not six times. */
export interface PlannedHandler<Spec extends EndpointSpec> {
  handle: Handler<Spec>;
  keepsPlan(input: Input<Spec>): boolean;
}

type AnyHandler = (ctx: Ctx | AppCtx | PartnerCtx | PublicCtx, input: unknown) => Promise<unknown>;

export interface Route {
  spec: EndpointSpec;
  handler: AnyHandler;
  prepare?: (ctx: PrepareCtx, input: unknown) => Promise<AnyHandler>;
  keepsPlan?: (input: unknown) => boolean;
  /** Counts a signed-in call with this query, or refuses it, in a transaction before it; null: this query needs none. */
  admit?: (
    query: unknown,
  ) => ((ctx: Pick<Ctx, "db" | "session" | "origin">) => Promise<void>) | null;
}

/** The handler of a signed-in call, after `prepare` if the route has one. */
export async function handlerOf(
  { handler, prepare }: Route,
  ctx: PrepareCtx,
  input: unknown,
): Promise<AnyHandler> {
  return prepare ? prepare(ctx, input) : handler;
}

export function mount<C extends Contract>(
  contract: C,
  handlers: {
    [Key in keyof C]: Handler<C[Key]> | PreparedHandler<C[Key]> | PlannedHandler<C[Key]>;
  },
): Route[] {
  return Object.entries(contract).map(([key, spec]) => {
    const given = handlers[key as keyof C];
    if (typeof given === "function") return { spec, handler: given as AnyHandler };
    const { handle, ...rest } = given as Omit<Route, "spec" | "handler"> & { handle?: AnyHandler };
    const unprepared = () => Promise.reject(new Error(`${spec.path}: unprepared`));
    return { spec, handler: handle ?? unprepared, ...rest };
  });
}
