// Public interface of the compartment feature.
export { compartmentRoutes } from "./compartment.routes.ts";
export { lockRepaired } from "./compartment.service.ts";
export { obstaclesText } from "./obstacle.rules.ts";
export { lockForRemoval } from "./removal.sql.ts";
