// Call that lists tenants (租户) for selection; `tenancy` manages them.
import { type Static, Type } from "typebox";
import { endpoint } from "../../kit/endpoint.ts";

export const TenantOption = Type.Object({ id: Type.Integer(), name: Type.String() });
export type TenantOption = Static<typeof TenantOption>;

export const tenantContract = {
  options: endpoint({
    method: "GET",
    path: "/admin/v1/tenant/options",
    access: "signed-in",
    summary: "可筛选的租户：平台可见全部，其他账号只见自己的",
    reply: Type.Array(TenantOption),
  }),
};
