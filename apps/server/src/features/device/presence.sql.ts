// Presence in the database, by its clock alone: connections, sessions, who is online, who fell silent.
import { WILL_GRACE_SECONDS } from "@cabinet/contract/cabinet/cabinet.rules.ts";
import { type Db, type Sql, sql } from "../../platform/db.ts";

/** A cabinet as presence tells of it. */
export interface SeenCabinet {
  tenantId: number;
  cabinetId: number;
}

/** Whoever was online when we were not there to hear may take this long to come back. */
const RETURN_SECONDS = 150;
/** No sweep for this long: we were away ourselves. */
const BLIND_AFTER_SECONDS = 10;

/** `ONLINE`, `OFFLINE` or `NEVER`, for the table `cabinet` under this alias. */
export function connectivitySql(alias: Sql): Sql {
  return sql`(case when ${alias}.offline_at is null then 'NEVER'
    when ${alias}.offline_at <= now() then 'OFFLINE' else 'ONLINE' end)`;
}

/** A command could be sent this instant; a pending will counts as gone. */
export function isConnectedSql(alias: Sql): Sql {
  return sql`(${alias}.is_greeted and ${alias}.offline_at > now())`;
}
