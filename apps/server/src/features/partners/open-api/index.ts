// Public API of the open-api feature for other features.
export { openApiJobs } from "./open-api.jobs.ts";
export { openApiRoutes } from "./open-api.routes.ts";
export { resetChanges } from "./open-order.sql.ts";
export { createPartnerGatekeeper, keyOwner as openKeyOwner, sealOpenKey } from "./partner.gate.ts";
