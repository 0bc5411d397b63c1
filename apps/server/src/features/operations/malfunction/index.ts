// Public API of the malfunction feature for other features.
export { malfunctionJobs } from "./malfunction.jobs.ts";
export { malfunctionRoutes } from "./malfunction.routes.ts";
export {
  recoverCompartments,
  reportByEndUser,
  reportDeviceFault,
  reportMalfunction,
} from "./malfunction.service.ts";
export { affectedPlacesSql, findMalfunction, findMalfunctions } from "./malfunction.sql.ts";
export { forgetReporter, isForcedSql, type MalfunctionKey } from "./malfunction-progress.sql.ts";
export { absenceReports } from "./outage.service.ts";
export { conditionReports, openingReports, startFollowing } from "./signal.service.ts";
