// Stores: the places that cabinets stand in (门店; routes say point).
import { type Static, Type } from "typebox";
import { endpoint } from "../kit/endpoint.ts";
import { Id, Strict } from "../kit/fields.ts";

export const StoreOption = Type.Object({
  id: Id,
  tenantId: Type.Integer(),
  name: Type.String(),
});
export type StoreOption = Static<typeof StoreOption>;

export const storeContract = {
  options: endpoint({
    method: "GET",
    path: "/admin/v1/store/options",
    access: "store:read",
    summary: "可选择的门店",
    query: Strict({ tenantId: Type.Optional(Type.Integer({ title: "租户", minimum: 1 })) }),
    reply: Type.Array(StoreOption),
  }),
};
