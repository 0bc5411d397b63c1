// Public interface of the simulated-cabinet feature.
export { simulatedCabinetRoutes } from "./simulated-cabinet.routes.ts";
