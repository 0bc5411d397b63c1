// Public interface of the end-user feature for other features.
export { endUserRoutes } from "./end-user.routes.ts";
