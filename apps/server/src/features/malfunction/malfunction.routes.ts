// The calls about malfunctions.
import { malfunctionContract } from "@cabinet/contract/malfunction/malfunction.contract.ts";
import { mount } from "../../platform/mount.ts";
import { countMalfunctions } from "./malfunction.sql.ts";

export const malfunctionRoutes = mount(malfunctionContract, {
  size: (ctx, { query }) => countMalfunctions(ctx.db, ctx.session, query),
});
