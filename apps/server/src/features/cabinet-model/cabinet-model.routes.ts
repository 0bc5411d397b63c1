// The calls about cabinet models.
import { cabinetModelContract } from "@cabinet/contract/cabinet-model/cabinet-model.contract.ts";
import { mount } from "../../platform/mount.ts";
import { findCabinetModelOptions } from "./cabinet-model.sql.ts";

export const cabinetModelRoutes = mount(cabinetModelContract, {
  options: (ctx) => findCabinetModelOptions(ctx.db),
});
