// What neighbours may use of the service of cabinets.
export { cabinetServiceRoutes } from "./cabinet-service.routes.ts";
