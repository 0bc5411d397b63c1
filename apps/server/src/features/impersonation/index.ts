// Public interface of impersonation (visits) for other features.
export { impersonationRoutes as visitRoutes } from "./impersonation.routes.ts";
