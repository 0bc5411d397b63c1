// Public interface of the month's statement.
export { statementRoutes } from "./statement.routes.ts";
