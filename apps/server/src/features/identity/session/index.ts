// Public interface of sessions for other features.
export { sessionRoutes } from "./session.routes.ts";
