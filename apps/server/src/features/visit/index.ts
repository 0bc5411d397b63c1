// Public interface of impersonation (visits) for other features.
export { impersonationRoutes as visitRoutes } from "./visit.routes.ts";
