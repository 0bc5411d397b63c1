// SQL conditions for faulty and available compartments and cabinets, equivalent to the contract's
// rules.
import { type Sql, sql } from "../../../platform/db/sql.ts";

/** 异常 (records and sensor contradict), for the table `compartment` under this alias. */
export function isContradictorySql(alias: Sql): Sql {
  return sql`((${alias}.occupancy = 'FREE' and ${alias}.item = 'PRESENT')
    or (${alias}.occupancy = 'OCCUPIED' and ${alias}.item = 'EMPTY'))`;
}

/** 停用 (disabled), 故障 (fault) or 异常, for the table `compartment` under this alias. */
export function isFaultySql(alias: Sql): Sql {
  return sql`(${alias}.admin_state <> 'ENABLED' or ${isContradictorySql(alias)})`;
}

/** Equivalent to `unavailableReason` being null: free, in order, and no door open. */
export function isAvailableSql(alias: Sql): Sql {
  return sql`(not ${isFaultySql(alias)} and ${alias}.occupancy = 'FREE'
    and ${alias}.door_front <> 'OPEN' and ${alias}.door_back is distinct from 'OPEN')`;
}

/**
 * 有故障 (has a fault), for the table `cabinet` under this alias: a faulty compartment, an open
 * malfunction, or an open outage of its store.
 */
export function hasFaultSql(alias: Sql): Sql {
  return sql`(
    exists (select from compartment comp
      where comp.tenant_id = ${alias}.tenant_id and comp.cabinet_id = ${alias}.id
        and ${isFaultySql(sql`comp`)})
    or exists (select from malfunction
      where malfunction.tenant_id = ${alias}.tenant_id and malfunction.cabinet_id = ${alias}.id
        and malfunction.state in ('CREATED', 'ASSIGNED', 'PROCESSING'))
    or ${storeOutageSql(alias)} is not null)`;
}

/**
 * JSON with the open store outage that the cabinet is part of, or null; for `cabinet` under this
 * alias.
 */
export function storeOutageSql(alias: Sql): Sql {
  return sql`(
    select json_build_object('total', count(*), 'back', count(affected_cabinet.back_at))
    from outage_cabinet
    join malfunction on malfunction.tenant_id = outage_cabinet.tenant_id
      and malfunction.id = outage_cabinet.malfunction_id
      and malfunction.state in ('CREATED', 'ASSIGNED', 'PROCESSING')
    join outage_cabinet affected_cabinet on affected_cabinet.tenant_id = malfunction.tenant_id
      and affected_cabinet.malfunction_id = malfunction.id
    where outage_cabinet.tenant_id = ${alias}.tenant_id and outage_cabinet.cabinet_id = ${alias}.id
      and outage_cabinet.back_at is null
      -- A cabinet that just came online gets its back_at up to a second later.
      and ${alias}.offline_at <= now()
    having count(*) > 0)`;
}
