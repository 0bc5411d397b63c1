// Public interface of the firmware feature for other features.
export { firmwareRoutes } from "./firmware.routes.ts";
