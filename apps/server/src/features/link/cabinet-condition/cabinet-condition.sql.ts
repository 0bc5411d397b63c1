// SQL conditions for faulty and available compartments and cabinets, equivalent to the contract's
// rules.
import { type Sql, sql } from "../../../platform/db/db.ts";

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
    exists (select from compartment k
      where k.tenant_id = ${alias}.tenant_id and k.cabinet_id = ${alias}.id and ${isFaultySql(sql`k`)})
    or exists (select from malfunction f
      where f.tenant_id = ${alias}.tenant_id and f.cabinet_id = ${alias}.id
        and f.state in ('CREATED', 'ASSIGNED', 'PROCESSING'))
    or ${storeOutageSql(alias)} is not null)`;
}

/**
 * JSON with the open store outage that the cabinet is part of, or null; for `cabinet` under this
 * alias.
 */
export function storeOutageSql(alias: Sql): Sql {
  return sql`(
    select json_build_object('total', count(*), 'back', count(a.back_at))
    from outage_cabinet o
    join malfunction m on m.tenant_id = o.tenant_id and m.id = o.malfunction_id
      and m.state in ('CREATED', 'ASSIGNED', 'PROCESSING')
    join outage_cabinet a on a.tenant_id = m.tenant_id and a.malfunction_id = m.id
    where o.tenant_id = ${alias}.tenant_id and o.cabinet_id = ${alias}.id and o.back_at is null
      -- A cabinet that just came online gets its back_at up to a second later.
      and ${alias}.offline_at <= now()
    having count(*) > 0)`;
}
