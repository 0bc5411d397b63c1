// Public interface of stores for other features.
export { personPredicate } from "./person-scope.sql.ts";
export { storeRoutes } from "./store.routes.ts";
export { requireAllStores } from "./store.service.ts";
export {
  findStore,
  findStoreOptions,
  replaceStores,
  shareLockStore,
  storePredicate,
} from "./store.sql.ts";
