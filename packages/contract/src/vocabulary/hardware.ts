// Schemas of the hardware that several domains use.
import { Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../kit/fields.ts";
import {
  ADMIN_STATES,
  DOOR_STATES,
  ITEM_STATES,
  OCCUPANCIES,
  SIDES,
  SIZES,
} from "./hardware.rules.ts";

export const Side = OneOf(SIDES, "单双面");
export type Side = (typeof SIDES)[number];

export const CompartmentNo = Type.Integer({ title: "格口号", minimum: 1, maximum: 999 });

/** Number, size and present state of a compartment. */
export const CompartmentState = Type.Object({
  no: CompartmentNo,
  size: OneOf(SIZES),
  adminState: OneOf(ADMIN_STATES),
  adminReason: Nullable(Type.String()),
  occupancy: OneOf(OCCUPANCIES),
  occupiedSince: Nullable(Timestamp),
  doorFront: OneOf(DOOR_STATES),
  doorBack: Nullable(OneOf(DOOR_STATES)),
  item: OneOf(ITEM_STATES),
});
