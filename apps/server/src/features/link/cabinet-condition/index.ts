// Public interface of the cabinet-condition feature.
export {
  hasFaultSql,
  isAvailableSql,
  isContradictorySql,
  isFaultySql,
  storeOutageSql,
} from "./cabinet-condition.sql.ts";
export {
  isInServiceStateSql,
  serviceFactsSql,
  serviceJoinSql,
  serviceStateSql,
} from "./service-condition.sql.ts";
