// Public interface of the export feature for other features.

export { Catalog } from "./export.catalog.ts";
export { exportJobs } from "./export.jobs.ts";
export { exportRoutes } from "./export.routes.ts";
export { addExports } from "./export.runner.ts";
