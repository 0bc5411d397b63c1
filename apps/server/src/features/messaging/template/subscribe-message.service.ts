// Subscribe messages for the console, with phones masked.
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { SubscribeMessage } from "@cabinet/contract/messaging/template/template.contract.ts";
import type { Ctx } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/db.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { findMessages, findMessagesOfOrder, type MessageQuery } from "./subscribe-message.sql.ts";

const masked = (message: SubscribeMessage) => ({ ...message, phone: maskPhone(message.phone) });

export async function listMessages(ctx: Ctx, query: MessageQuery): Promise<Page<SubscribeMessage>> {
  requireSpan(query);
  const page = await findMessages(ctx.db, ctx.session, query);
  return { ...page, list: page.list.map(masked) };
}

/** The caller has already checked that the account may see the order. */
export async function listSubscribeOfOrder(
  db: Db,
  order: { tenantId: number; orderId: number },
): Promise<SubscribeMessage[]> {
  return (await findMessagesOfOrder(db, order)).map(masked);
}
