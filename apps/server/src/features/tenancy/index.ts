// What neighbours may use of tenants' terms.
export { tenancyRoutes } from "./tenancy.routes.ts";
