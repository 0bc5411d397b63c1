// The config a cabinet should have, as the gateway sends it.
import type { ConfigValues } from "@cabinet/link";
import { type Db, sql } from "../../platform/db.ts";
import { type CabinetKey, type Gateway, isConnectedSql, isReachedBySql } from "./presence.sql.ts";

export interface DesiredConfig {
  sn: string;
  kid: string;
  epoch: number;
  version: number;
  values: ConfigValues;
}

/** Null when the cabinet is not connected here: it then comes with its next hello. */
export function findDesiredConfig(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  gateway: Gateway,
): Promise<DesiredConfig | null> {
  return db.maybe(sql`
    select sn, connection_kid as kid, epoch, desired_config_version as version,
      desired_config as values
    from cabinet c
    where tenant_id = ${tenantId} and id = ${cabinetId} and ${isConnectedSql(sql`c`)}
      and ${isReachedBySql(sql`c`, gateway)}`);
}
