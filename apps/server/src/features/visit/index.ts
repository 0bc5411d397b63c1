// Public interface of impersonation (visits) for other features.
export { visitRoutes } from "./visit.routes.ts";
