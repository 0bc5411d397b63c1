// Cabinet models: layout and capabilities that cabinets share (设备类型).
import { type Static, Type } from "typebox";
import { endpoint } from "../kit/endpoint.ts";
import { Id, OneOf } from "../kit/fields.ts";

export const SIDES = ["SINGLE", "DOUBLE"] as const;
export const Side = OneOf(SIDES, "单双面");
export type Side = (typeof SIDES)[number];

export const CabinetModelOption = Type.Object({ id: Id, name: Type.String(), side: Side });
export type CabinetModelOption = Static<typeof CabinetModelOption>;

export const cabinetModelContract = {
  options: endpoint({
    method: "GET",
    path: "/admin/v1/locker/model/options",
    access: "cabinet:read",
    summary: "可选择的设备类型",
    reply: Type.Array(CabinetModelOption),
  }),
};
