// Public interface of the search feature.
export { searchRoutes } from "./search.routes.ts";
