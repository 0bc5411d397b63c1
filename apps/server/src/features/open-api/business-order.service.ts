// 业务订单: looked up by people of the console.
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { BusinessOrder } from "@cabinet/contract/open-api/business-order.contract.ts";
import type { Ctx } from "../../platform/context.ts";
import { requireSpan } from "../../platform/span.ts";
import { type BusinessOrderQuery, findBusinessOrders } from "./business-order.sql.ts";

export function listBusinessOrders(
  ctx: Ctx,
  query: BusinessOrderQuery,
): Promise<Page<BusinessOrder>> {
  requireSpan(query);
  return findBusinessOrders(ctx.db, ctx.session, query);
}
