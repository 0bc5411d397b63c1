// Moving a row in an order that people make by hand: one step, and whether there was a place to go to.
import { Type } from "typebox";
import { OneOf, Strict } from "./fields.ts";

export const Step = Strict({ step: OneOf(["up", "down"], "方向") });

/** False: it stands at that end already. */
export const Moved = Type.Object({ isMoved: Type.Boolean() });
