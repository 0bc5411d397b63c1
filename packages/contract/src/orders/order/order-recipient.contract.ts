// Call that makes another person the recipient of stored goods, because the phone was wrong.
import { endpoint, Nothing } from "../../kit/endpoint.ts";
import { Id, IdParams, Phone, Reason, Strict } from "../../kit/fields.ts";

export const orderRecipientContract = {
  change: endpoint({
    method: "PUT",
    path: "/admin/v1/order/{id}/recipient",
    access: "order:write",
    risk: "data",
    pressed: true,
    summary: "更正取件人手机号",
    params: IdParams,
    body: Strict({
      phone: { ...Phone, title: "新手机号" },
      /** The recipient that the clerk saw: somebody else may have corrected it meanwhile. */
      seenRecipientId: { ...Id, title: "更正前的取件人" },
      reason: Reason,
    }),
    once: "always",
    reply: Nothing,
  }),
};
