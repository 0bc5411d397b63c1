// 业务订单 in the console: the list of third-party orders, each with its latest webhook delivery.
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import type { BusinessOrder } from "@cabinet/contract/partners/open-api/business-order.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { findLatestWebhooks } from "../../messaging/webhook/index.ts";
import { type BusinessOrderQuery, findBusinessOrders } from "./business-order.sql.ts";

export async function listBusinessOrders(
  ctx: Ctx,
  query: BusinessOrderQuery,
): Promise<Page<BusinessOrder>> {
  requireSpan(query);
  const page = await findBusinessOrders(ctx.db, ctx.session, query);
  const ofTenants = Map.groupBy(page.list, ({ tenantId }) => tenantId);
  const answers = await Promise.all(
    [...ofTenants].map(([tenantId, rows]) =>
      findLatestWebhooks(ctx.db, { tenantId, orderIds: rows.map(({ orderId }) => orderId) }),
    ),
  );
  const latest = new Map(answers.flat().map((callback) => [callback.orderId, callback]));
  return {
    ...page,
    list: page.list.map((row) => ({ ...row, lastCallback: latest.get(row.orderId) ?? null })),
  };
}
