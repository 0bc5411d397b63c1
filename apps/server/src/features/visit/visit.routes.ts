// HTTP route that starts an impersonation; leaving is an ordinary logout.
import { visitContract } from "@cabinet/contract/visit/visit.contract.ts";
import { mount } from "../../platform/mount.ts";
import { startVisit } from "./visit.service.ts";

export const visitRoutes = mount(visitContract, {
  start: (ctx, input) => startVisit(ctx, input),
});
