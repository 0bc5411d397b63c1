// What neighbours may use of announcements.
export { announcementRoutes } from "./announcement.routes.ts";
