// Public interface of the audit feature.
export { auditRoutes } from "./audit.routes.ts";
