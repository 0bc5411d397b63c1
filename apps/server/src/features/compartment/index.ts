// What neighbours may use of compartments.
export { compartmentRoutes } from "./compartment.routes.ts";
export { createCompartments } from "./layout.sql.ts";
