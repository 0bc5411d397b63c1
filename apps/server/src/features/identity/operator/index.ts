// Public API of the operator feature (console accounts) for other features.
export { operatorRoutes } from "./operator.routes.ts";
export { createOperator } from "./operator.service.ts";
export { isOfSeenAccount, operatorPredicate } from "./operator-list.sql.ts";
