// Public interface of the cabinet-model feature.
export { cabinetModelRoutes } from "./cabinet-model.routes.ts";
