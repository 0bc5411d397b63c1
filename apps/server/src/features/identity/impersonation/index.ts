// Public interface of impersonation (visits) for other features.
export { impersonationRoutes } from "./impersonation.routes.ts";
