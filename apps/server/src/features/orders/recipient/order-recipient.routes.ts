// HTTP routes of the correction of an order's recipient.
import { orderRecipientContract } from "@cabinet/contract/orders/order/order-recipient.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { correctRecipient } from "./order-recipient.service.ts";

export const orderRecipientRoutes = mount(orderRecipientContract, {
  change: (ctx, { params, body }) => correctRecipient(ctx, params.id, body),
});
