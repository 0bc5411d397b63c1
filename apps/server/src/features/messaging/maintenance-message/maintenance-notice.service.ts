// Maintenance notices for the console: all that were sent, who read them, and one's own unread
// ones.
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { maintenanceMessageContract } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.contract.ts";
import { ruleKindText } from "@cabinet/contract/messaging/maintenance-message/maintenance-message.rules.ts";
import type { Ctx } from "../../../platform/context.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import {
  findNotices,
  findOwnNotices,
  markRead,
  type NoticeQuery,
} from "./maintenance-notice.sql.ts";

type Contract = typeof maintenanceMessageContract;

/** Number of notices shown; the rest is only counted. */
const SHOWN = 20;

export async function listNotices(
  ctx: Ctx,
  query: NoticeQuery,
): Promise<Reply<Contract["notices"]>> {
  requireSpan(query);
  return findNotices(ctx.db, ctx.session, query);
}

export function listOwn(ctx: Ctx): Promise<Reply<Contract["mine"]>> {
  return findOwnNotices(ctx.db, ctx.session, SHOWN);
}

export async function readOwn(ctx: Ctx, ids: readonly number[]): Promise<null> {
  const read = await markRead(ctx.db, ctx.session, ids);
  const names = read.map(({ place, kind }) => `${place} ${ruleKindText[kind]}`);
  const rest = names.length > 3 ? ` 等 ${names.length} 条` : "";
  ctx.audit({
    // Already read in another window, or the malfunction was accepted: nothing is left to mark.
    target:
      names.length > 0 ? `维护消息 ${names.slice(0, 3).join("、")}${rest}` : "已看过的维护消息",
    after: { noticeIds: read.map(({ id }) => id) },
  });
  return null;
}
