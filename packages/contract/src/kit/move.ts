// Moves a row by one step in a manual order; the reply says whether it could move.

import { Type } from "typebox";
import { OneOf, Strict } from "./fields.ts";
import { named } from "./named.ts";

export const Step = Strict({ step: OneOf(["up", "down"], "方向") });

/** `isMoved` false: the row is already at that end. */
export const Moved = named("Moved", Type.Object({ isMoved: Type.Boolean() }));
