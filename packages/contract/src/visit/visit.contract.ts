// Visits: platform staff look at a tenant as its administrator does, and change nothing (进入租户).
import { type Static, Type } from "typebox";
import { endpoint } from "../kit/endpoint.ts";
import { Reason, Strict, TenantId } from "../kit/fields.ts";

/** What the console keeps beside the own session for as long as the visit lasts. */
export const Visit = Type.Object({
  token: Type.String(),
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  /** Until the visit ends by itself. */
  seconds: Type.Integer(),
});
export type Visit = Static<typeof Visit>;

export const visitContract = {
  start: endpoint({
    method: "POST",
    path: "/admin/v1/tenant/visit/{id}",
    access: "platform",
    summary: "进入租户（只读查看）",
    params: Strict({ id: TenantId }),
    body: Strict({ reason: Reason }),
    reply: Visit,
  }),
};
