// Route for errors of the console's own program.
import { clientErrorContract } from "@cabinet/contract/operations/client-error/client-error.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { clientErrors } from "../../../platform/metrics.ts";

export const clientErrorRoutes = mount(clientErrorContract, {
  report: async ({ log }, { body }) => {
    clientErrors.inc({ kind: body.kind });
    log.warn({ clientError: body }, "the console reported an error of its own");
    return null;
  },
});
