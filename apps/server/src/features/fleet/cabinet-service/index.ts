// Public interface of the cabinet-service feature.
export { cabinetServiceRoutes } from "./cabinet-service.routes.ts";
