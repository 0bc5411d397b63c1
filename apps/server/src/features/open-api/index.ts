// What neighbours may use of the open API.
export { openApiJobs } from "./open-api.jobs.ts";
export { openApiRoutes } from "./open-api.routes.ts";
export { createPartnerGatekeeper, sealOpenKey } from "./partner-gate.ts";
