// Public interface of the cabinet feature.
export { cabinetRoutes } from "./cabinet.routes.ts";
export { cabinetKeywordSql, cabinetPredicate } from "./cabinet-scope.sql.ts";
export { createCabinet, deleteCabinet, lockCabinetTraces } from "./new-cabinet.sql.ts";
