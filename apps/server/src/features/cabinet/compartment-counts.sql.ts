// The contract's rule about available compartments once more as SQL, where thousands are counted.
import { type Sql, sql } from "../../platform/db.ts";

/** 停用, 故障 or 异常, for the table `compartment` under this alias. */
export function isFaultySql(alias: Sql): Sql {
  return sql`(${alias}.admin_state <> 'ENABLED'
    or (${alias}.occupancy = 'FREE' and ${alias}.item = 'PRESENT')
    or (${alias}.occupancy = 'OCCUPIED' and ${alias}.item = 'EMPTY'))`;
}

/** As `unavailableReason` is null: free, in order, and no door open. */
export function isAvailableSql(alias: Sql): Sql {
  return sql`(not ${isFaultySql(alias)} and ${alias}.occupancy = 'FREE'
    and ${alias}.door_front <> 'OPEN' and ${alias}.door_back is distinct from 'OPEN')`;
}
