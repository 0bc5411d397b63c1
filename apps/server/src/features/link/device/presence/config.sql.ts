// Reads the config that a cabinet should have, as the gateway sends it.
import type { ConfigValues } from "@cabinet/link";
import type { Db } from "../../../../platform/db/db.ts";
import { type Sql, sql } from "../../../../platform/db/sql.ts";
import { type CabinetKey, type Gateway, isConnectedSql, isReachedBySql } from "./presence.sql.ts";

/** The config sent to a cabinet (these aliases): its desired values override its model's. */
export function effectiveConfigSql(cabinet: Sql, model: Sql): Sql {
  return sql`(jsonb_build_object('heartbeatSeconds', ${model}.heartbeat_seconds)
    || ${cabinet}.desired_config)`;
}

export interface DesiredConfig {
  sn: string;
  kid: string;
  epoch: number;
  version: number;
  values: ConfigValues;
}

/**
 * Null when the cabinet is not connected to this gateway: it gets the config with its next hello.
 */
export function findDesiredConfig(
  db: Db,
  { tenantId, cabinetId }: CabinetKey,
  gateway: Gateway,
): Promise<DesiredConfig | null> {
  return db.maybe(sql`
    select sn, connection_kid as kid, epoch, desired_config_version as version,
      ${effectiveConfigSql(sql`cabinet`, sql`model`)} as values
    from cabinet join cabinet_model model on model.id = cabinet.model_id
    where cabinet.tenant_id = ${tenantId} and cabinet.id = ${cabinetId} and ${isConnectedSql(sql`cabinet`)}
      and ${isReachedBySql(sql`cabinet`, gateway)}`);
}
