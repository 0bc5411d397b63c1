// Public interface of the announcement feature.
export { announcementJobs } from "./announcement.jobs.ts";
export { announcementRoutes } from "./announcement.routes.ts";
export {
  announcementImages,
  findForEndUser,
  findNews,
  markRead as markAnnouncementsRead,
  markReadByEndUser,
} from "./recipient.sql.ts";
