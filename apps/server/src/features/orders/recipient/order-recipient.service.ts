// An operator corrects the recipient of stored goods; apart from orders, because it creates people, who know of orders.
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { orderRecipientContract } from "@cabinet/contract/orders/order/order-recipient.contract.ts";
import { operatorActor } from "../../../platform/actor.ts";
import type { Ctx } from "../../../platform/context.ts";
import { ensureUser } from "../end-user/index.ts";
import { changeRecipient, getOrderOrRefuse, noteOrder } from "../order/index.ts";

export async function correctRecipient(
  ctx: Ctx,
  id: number,
  { phone, seenRecipientId, reason }: Input<typeof orderRecipientContract.change>["body"],
): Promise<null> {
  const key = await getOrderOrRefuse(ctx, id);
  const { id: recipientId } = await ensureUser(ctx.db, { tenantId: key.tenantId, phone });
  const { formerPhone } = await changeRecipient(ctx.db, operatorActor(ctx.session), {
    ...key,
    recipientId,
    seenRecipientId,
    reason,
  });
  noteOrder(ctx, key, reason, { phone: maskPhone(phone) }, { phone: maskPhone(formerPhone) });
  return null;
}
