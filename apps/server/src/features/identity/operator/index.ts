// Public API of the operator feature (console accounts) for other features.
export {
  ensureFirstOperator,
  FIRST_USERNAME,
  requireStrongPassword,
} from "./first-operator.seed.ts";
export { operatorRoutes } from "./operator.routes.ts";
export { createOperator } from "./operator.service.ts";
export { hasOperators, insertOperator } from "./operator.sql.ts";
export { isOfSeenAccount, operatorPredicate } from "./operator-list.sql.ts";
