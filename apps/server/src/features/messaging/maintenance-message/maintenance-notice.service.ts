// Maintenance notices for the console: all that were sent, and who read them.
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { maintenanceMessageContract } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { findNotices, type NoticeQuery } from "./maintenance-notice.sql.ts";

type Contract = typeof maintenanceMessageContract;

export async function listNotices(
  ctx: Ctx,
  query: NoticeQuery,
): Promise<Reply<Contract["notices"]>> {
  requireSpan(query);
  return findNotices(ctx.db, ctx.session, query);
}
