// What neighbours may use of sessions.
export { sessionRoutes } from "./session.routes.ts";
