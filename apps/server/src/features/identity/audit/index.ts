// Public interface of the audit feature.
export { acceptChain, auditJobs } from "./audit.jobs.ts";
export { auditRoutes } from "./audit.routes.ts";
