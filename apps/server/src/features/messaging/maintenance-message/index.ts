// Public API of the maintenance-message feature for other features.
export {
  calmMsOf,
  notifyAssignee,
  notifyTenantStaff,
} from "./maintenance-alert.service.ts";
export { maintenanceMessageJobs } from "./maintenance-message.jobs.ts";
export { enqueueNotices } from "./maintenance-message.queue.ts";
export { maintenanceMessageRoutes } from "./maintenance-message.routes.ts";
export { findOwnNotices, markRead as markNoticesRead } from "./maintenance-notice.sql.ts";
