// What neighbours may use to tell which cabinets and compartments are in order.
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
  todaySql,
} from "./service-condition.sql.ts";
