// What neighbours may use of cabinet models.
export { cabinetModelRoutes } from "./cabinet-model.routes.ts";
