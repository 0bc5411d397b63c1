// Public API of the operator feature (console accounts) for other features.
export { removeFactorByHost, resetByHost, unlockByHost } from "./host-account.service.ts";
export { operatorRoutes } from "./operator.routes.ts";
export { createOperator } from "./operator.service.ts";
export { findAccountsOf, isOfSeenAccount, operatorPredicate } from "./operator-list.sql.ts";
