// Public interface of statistics for other features.
export { addFigures } from "./figures.sql.ts";
export { homeScreenRoutes } from "./home-screen.routes.ts";
export { statisticsJobs } from "./statistics.jobs.ts";
export { statisticsRoutes } from "./statistics.routes.ts";
