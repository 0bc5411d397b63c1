// What neighbours may use of malfunctions.
export { malfunctionRoutes } from "./malfunction.routes.ts";
export { reportMalfunction } from "./malfunction.service.ts";
export { resolveMalfunctions } from "./malfunction.sql.ts";
export { absenceReports } from "./outage.service.ts";
