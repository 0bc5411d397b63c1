// Public interface of the cabinet-secret feature.
export { cabinetSecretJobs } from "./cabinet-secret.jobs.ts";
export { cabinetSecretRoutes } from "./cabinet-secret.routes.ts";
