// SQL for the service state of a cabinet, derived from its dates by the database clock alone.
import { EXPIRING_DAYS } from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { todaySql } from "../../../platform/db/shanghai.sql.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

/**
 * The service state, for the table `cabinet_service` under this alias, left-joined: no row is 未设置
 * (UNSET).
 */
export function serviceStateSql(alias: Sql): Sql {
  return sql`(case when ${alias}.stopped_at is not null then 'STOPPED'
    when ${alias}.ends_on is null then 'UNSET'
    when ${alias}.starts_on > ${todaySql} then 'PENDING'
    when ${alias}.ends_on < ${todaySql} then 'EXPIRED'
    when ${alias}.ends_on <= ${todaySql} + ${EXPIRING_DAYS}::int then 'EXPIRING'
    else 'ACTIVE' end)`;
}

/** Left-joins the service of the cabinet under `cabinet` as `alias`. */
export function serviceJoinSql(cabinet: Sql, alias: Sql): Sql {
  return sql`left join cabinet_service ${alias}
    on ${alias}.tenant_id = ${cabinet}.tenant_id and ${alias}.cabinet_id = ${cabinet}.id`;
}

/** JSON of the contract's `CabinetService`, for the table under this alias. */
export function serviceFactsSql(alias: Sql): Sql {
  return sql`json_build_object('state', ${serviceStateSql(alias)},
    'startsOn', ${alias}.starts_on, 'endsOn', ${alias}.ends_on,
    'daysLeft', ${alias}.ends_on - ${todaySql})`;
}

/** Whether the service of the cabinet under this alias is in this state. */
export function isInServiceStateSql(cabinet: Sql, state: string): Sql {
  return sql`exists (select from (select) one ${serviceJoinSql(cabinet, sql`service`)}
    where ${serviceStateSql(sql`service`)} = ${state})`;
}
