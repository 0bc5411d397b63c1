// Public interface of the account feature.
export { accountRoutes } from "./account.routes.ts";
export { getNewDevice } from "./account.service.ts";
export { findReadUntil, writeReadUntil } from "./account.sql.ts";
