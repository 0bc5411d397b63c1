// What neighbours may use of cabinets' secrets.
export { cabinetSecretJobs } from "./cabinet-secret.jobs.ts";
export { cabinetSecretRoutes } from "./cabinet-secret.routes.ts";
