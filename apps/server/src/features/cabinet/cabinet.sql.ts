// Changing cabinets: rows are locked in the order of their ids, then changed as one set.
import type { CabinetConfig } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import type { Connectivity, Lifecycle } from "@cabinet/contract/cabinet/cabinet.rules.ts";
import type { Session } from "../../platform/context.ts";
import { type Db, sql } from "../../platform/db.ts";
import { connectivitySql } from "../device/index.ts";
import { cabinetPredicate } from "./cabinet-scope.sql.ts";

export interface CabinetRow {
  tenantId: number;
  id: number;
  sn: string;
  storeId: number | null;
  lifecycle: Lifecycle;
  connectivity: Connectivity;
  desiredConfig: CabinetConfig;
}

/** Those of `ids` that this account may see, locked until the transaction ends. */
export function lockCabinets(db: Db, session: Session, ids: number[]): Promise<CabinetRow[]> {
  return db.many(sql`
    select c.tenant_id as "tenantId", c.id, c.sn, c.store_id as "storeId", c.lifecycle,
      ${connectivitySql(sql`c`)} as connectivity, c.desired_config as "desiredConfig"
    from cabinet c
    where c.id = any(${ids}) and ${cabinetPredicate(session, sql`c`)}
    order by c.tenant_id, c.id
    for no key update of c`);
}

export async function updateLifecycle(db: Db, cabinet: CabinetRow, to: Lifecycle): Promise<void> {
  await db.run(sql`
    update cabinet set lifecycle = ${to}
    where tenant_id = ${cabinet.tenantId} and id = ${cabinet.id}`);
}

interface CabinetKey {
  tenantId: number;
  id: number;
}

/** Returns the cabinets that stood elsewhere before. */
export function updateStore(
  db: Db,
  tenantIds: number[],
  ids: number[],
  storeId: number | null,
): Promise<CabinetKey[]> {
  return db.many(sql`
    update cabinet set store_id = ${storeId}
    where tenant_id = any(${tenantIds}) and id = any(${ids})
      and store_id is distinct from ${storeId}
    returning tenant_id as "tenantId", id`);
}

/** Lays `config` over what was wished so far; returns the cabinets whose wish changed by it. */
export function mergeDesiredConfig(
  db: Db,
  tenantIds: number[],
  ids: number[],
  config: CabinetConfig,
): Promise<CabinetKey[]> {
  const json = JSON.stringify(config);
  return db.many(sql`
    update cabinet set desired_config = desired_config || ${json}::jsonb,
      desired_config_version = desired_config_version + 1
    where tenant_id = any(${tenantIds}) and id = any(${ids})
      and desired_config || ${json}::jsonb <> desired_config
    returning tenant_id as "tenantId", id`);
}
