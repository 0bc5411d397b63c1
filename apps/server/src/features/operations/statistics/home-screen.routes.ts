// Route of the first screen of 首页: runs the handlers of several calls in one transaction.

import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import {
  homeInputs,
  homeParts,
  homeScreenContract,
} from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { Refusal } from "../../../platform/errors.ts";
import { requireAccess } from "../../../platform/http/http-access.ts";
import { mount, type Route } from "../../../platform/http/mount.ts";

/** `routes`: those of all parts, among others. */
export function homeScreenRoutes(routes: readonly Route[]): Route[] {
  const parts = Object.entries(homeParts).map(([name, spec]) => {
    const route = routes.find((each) => each.spec === spec);
    if (!route) throw new Error(`${spec.path} has no route`);
    return [name as keyof typeof homeParts, route] as const;
  });
  return mount(homeScreenContract, {
    async read(ctx, { query: { day, tenantId } }) {
      const inputs = homeInputs(day, tenantId);
      const replies = await Promise.all(
        parts.map(async ([name, route]) => [name, await partOf(ctx, route, inputs[name])] as const),
      );
      return Object.fromEntries(replies) as Reply<typeof homeScreenContract.read>;
    },
  });
}

/** Undefined for a part that the account may not see. */
async function partOf(ctx: Ctx, { spec, handler }: Route, input: object): Promise<unknown> {
  try {
    requireAccess(ctx.session, spec);
    return await handler(ctx, { params: {}, query: {}, body: undefined, ...input });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
