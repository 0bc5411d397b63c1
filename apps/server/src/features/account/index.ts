// What neighbours may use of one's own account.
export { accountRoutes } from "./account.routes.ts";
