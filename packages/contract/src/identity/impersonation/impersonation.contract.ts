// Impersonation (进入租户): platform staff view a tenant read-only, with its administrator's view.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";
import { Reason, Strict, TenantId } from "../../kit/fields.ts";

/** Impersonation session, kept by the console beside its own session. */
export const Visit = Type.Object({
  token: Type.String(),
  tenantId: Type.Integer(),
  tenantName: Type.String(),
  /** Seconds until the impersonation session expires. */
  seconds: Type.Integer(),
});
export type Visit = Static<typeof Visit>;

export const impersonationContract = {
  start: endpoint({
    method: "POST",
    path: "/admin/v1/tenant/visit/{id}",
    access: "platform",
    risk: "trust",
    summary: "进入租户（只读查看）",
    params: Strict({ id: TenantId }),
    body: Strict({ reason: Reason }),
    reply: Visit,
  }),
};
