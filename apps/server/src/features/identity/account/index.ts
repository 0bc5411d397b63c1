// Public interface of the account feature.
export { accountRoutes } from "./account.routes.ts";
