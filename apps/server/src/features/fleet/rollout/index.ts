// Public interface of roll-outs for other features.

export { startRolloutDelivery } from "./rollout.device.ts";
export { rolloutJobs } from "./rollout.jobs.ts";
export { rolloutRoutes } from "./rollout.routes.ts";
export { hasJobWithFile as mayDownloadFirmware } from "./rollout-delivery.sql.ts";
export { stopRolloutsOf } from "./rollout-progress.sql.ts";
export { rolloutReports } from "./rollout-reports.flow.ts";
