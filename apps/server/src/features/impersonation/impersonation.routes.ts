// HTTP route that starts an impersonation; leaving is an ordinary logout.
import { impersonationContract } from "@cabinet/contract/impersonation/impersonation.contract.ts";
import { mount } from "../../platform/mount.ts";
import { startImpersonation } from "./impersonation.service.ts";

export const impersonationRoutes = mount(impersonationContract, {
  start: (ctx, input) => startImpersonation(ctx, input),
});
