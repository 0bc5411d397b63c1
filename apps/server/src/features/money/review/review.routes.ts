// HTTP routes of four eyes, and the wrapper of the calls that may wait for a second person.
import { reviewContract } from "@cabinet/contract/money/review/review.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { mount, type Route } from "../../../platform/http/mount.ts";
import { approve, listReviews, nameOf, refuseReview, runOrRequest } from "./review.service.ts";

/** The call, which becomes a request when the ledger finds its sum too large: a new call cannot forget it. */
export function withReview(route: Route): Route {
  if (route.spec.risk !== "money-by-sum") return route;
  return { ...route, handler: (ctx, input) => runOrRequest(ctx as Ctx, route, input) };
}

/** `routes`: those that may wait, among others, as they are without `withReview`. */
export function reviewRoutes(routes: readonly Route[]): Route[] {
  const waiting = new Map(
    routes
      .filter(({ spec }) => spec.risk === "money-by-sum")
      .map((route) => [nameOf(route), route]),
  );
  return mount(reviewContract, {
    list: (ctx, { query }) => listReviews(ctx, query),
    approve: (ctx, { params }) => approve(ctx, params.id, waiting),
    refuse: (ctx, { params, body }) => refuseReview(ctx, params.id, { ...body, waiting }),
  });
}
