// Public interface of the cabinet feature.
export { measureCabinets } from "./cabinet.metrics.ts";
export { cabinetRoutes } from "./cabinet.routes.ts";
export { findCabinetFigures } from "./cabinet-figures.sql.ts";
export { cabinetKeywordSql, cabinetPredicate } from "./cabinet-scope.sql.ts";
export { lockCabinetTraces } from "./cabinet-traces.sql.ts";
