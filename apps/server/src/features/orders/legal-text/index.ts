// Public interface of legal texts for other features.
export { legalTextRoutes } from "./legal-text.routes.ts";
export { findConsents, findInForce, findTextInForce, insertConsents } from "./legal-text.sql.ts";
