// Public interface of the compartment feature.
export { compartmentRoutes } from "./compartment.routes.ts";
export { applyLayout, createCompartments, lockForRemoval } from "./layout.sql.ts";
export { obstaclesText } from "./obstacle.rules.ts";
