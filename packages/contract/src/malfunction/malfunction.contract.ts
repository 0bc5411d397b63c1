// Malfunctions (故障; calls say preservation): the count of open ones for the badge.
import { Type } from "typebox";
import { endpoint } from "../kit/endpoint.ts";
import { OneOf, Strict, TenantId } from "../kit/fields.ts";

export const MALFUNCTION_STATES = [
  "CREATED",
  "ASSIGNED",
  "PROCESSING",
  "RESOLVED",
  "CLOSED",
  "IGNORED",
] as const;
export type MalfunctionState = (typeof MALFUNCTION_STATES)[number];

export const malfunctionContract = {
  size: endpoint({
    method: "GET",
    path: "/admin/v1/preservation/size",
    access: "signed-in",
    summary: "故障数量；角标统计 CREATED",
    query: Strict({
      status: Type.Optional(OneOf(MALFUNCTION_STATES, "状态")),
      tenantId: Type.Optional(TenantId),
    }),
    reply: Type.Integer(),
  }),
};
