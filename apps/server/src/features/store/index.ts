// What neighbours may use of stores.
export { storeRoutes } from "./store.routes.ts";
export { findStore, findStoreOptions, holdStore, storePredicate } from "./store.sql.ts";
