// Public interface of the client-error feature.
export { clientErrorRoutes } from "./client-error.routes.ts";
