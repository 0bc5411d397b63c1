// What neighbours may use of malfunctions.
export { malfunctionRoutes } from "./malfunction.routes.ts";
export { reportMalfunction, resolveMalfunctions } from "./malfunction.sql.ts";
