// What neighbours may use of cabinets.
export { cabinetRoutes } from "./cabinet.routes.ts";
export { cabinetKeywordSql, cabinetPredicate } from "./cabinet-scope.sql.ts";
