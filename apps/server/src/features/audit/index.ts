// What neighbours may use of the audit log.
export { auditRoutes } from "./audit.routes.ts";
