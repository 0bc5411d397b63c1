// Public interface of backup.
export { backupRoutes } from "./backup.routes.ts";
