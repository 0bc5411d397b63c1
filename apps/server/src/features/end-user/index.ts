// What neighbours may use of end users in the console.
export { endUserRoutes } from "./end-user.routes.ts";
