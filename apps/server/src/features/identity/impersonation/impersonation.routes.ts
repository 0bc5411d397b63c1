// HTTP route that starts an impersonation; leaving is an ordinary logout.
import { impersonationContract } from "@cabinet/contract/identity/impersonation/impersonation.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { startImpersonation } from "./impersonation.service.ts";

export const impersonationRoutes = mount(impersonationContract, {
  start: (ctx, input) => startImpersonation(ctx, input),
});
