// Public interface of the command feature.
export { startDelivery } from "./command.device.ts";
export { commandJobs } from "./command.jobs.ts";
export { commandRoutes } from "./command.routes.ts";
export { openDoor } from "./command.service.ts";
export { findCommand, findCommandsOfOrder, forgetOpener, markSeen } from "./command.sql.ts";
export { commandReports, type OpeningReports, settleFinally } from "./command-reports.flow.ts";
export type { CommandKey } from "./delivery.sql.ts";
export { awaitedQueue, isSettledSql } from "./final-state.sql.ts";
export { OPENS_WITHIN_SECONDS } from "./reported-state.sql.ts";
