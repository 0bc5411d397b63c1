// Public interface of tenancy for other features.
export {
  ensureFirstOperator,
  requireStrongPassword,
} from "./first-operator.seed.ts";
export { tenancyRoutes } from "./tenancy.routes.ts";
export { beginErasure, ensureTenant, findErasable, finishErasure } from "./tenancy.sql.ts";
