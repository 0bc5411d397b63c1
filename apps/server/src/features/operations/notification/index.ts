// Public interface of the notification feature.
export { notificationRoutes } from "./notification.routes.ts";
