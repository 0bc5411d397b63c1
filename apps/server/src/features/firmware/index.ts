// What neighbours may use of firmware.
export { firmwareRoutes } from "./firmware.routes.ts";
