// What neighbours may use of compartments.
export { compartmentRoutes } from "./compartment.routes.ts";
