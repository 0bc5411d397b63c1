// Public interface of the announcement feature.
export { announcementJobs } from "./announcement.jobs.ts";
export { announcementRoutes } from "./announcement.routes.ts";
export { announcementImages, findForEndUser, markReadByEndUser } from "./recipient.sql.ts";
