// Public interface of tenancy for other features.
export { tenancyRoutes } from "./tenancy.routes.ts";
