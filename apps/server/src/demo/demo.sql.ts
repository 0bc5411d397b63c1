// SQL for the demo's record in the database, and for renewing its secrets.
import type { ItemState } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import type { AccountKey } from "../platform/context.ts";
import type { Db } from "../platform/db/db.ts";
import { sql } from "../platform/db/sql.ts";

/** Data needed to write the private files again. */
export interface DemoRecord {
  accounts: AccountKey[];
  /** Cabinets run by the simulator. */
  simulated: { tenantId: number; cabinetId: number; sn: string }[];
}

export async function findDemo(db: Db): Promise<DemoRecord | null> {
  const row = await db.maybe<{ value: DemoRecord }>(
    sql`select value from installation where key = 'demo'`,
  );
  return row?.value ?? null;
}

/** Lifts the timeouts of this transaction: it inserts far more than any request does. */
export async function liftDeadlines(db: Db): Promise<void> {
  await db.run(sql`set local statement_timeout = 0`);
  await db.run(sql`set local idle_in_transaction_session_timeout = 0`);
}

export async function saveDemo(db: Db, demo: DemoRecord): Promise<void> {
  await db.run(sql`insert into installation (key, value) values ('demo', ${JSON.stringify(demo)})`);
}

export interface AccountRow {
  username: string;
  userType: number;
  tenantId: number;
}

/** Updates the password; null when somebody has deleted the account. */
export function updateDemoPassword(
  db: Db,
  account: AccountKey,
  passwordHash: string,
): Promise<AccountRow | null> {
  return db.maybe(sql`
    update operator set password_hash = ${passwordHash}, must_change_password = false
    where tenant_id = ${account.tenantId} and id = ${account.operatorId}
    returning username, user_type, tenant_id`);
}

export async function exemptDemoAccount(db: Db, operatorId: number): Promise<void> {
  await db.run(sql`
    update operator set factor_exempt_until = 'infinity' where id = ${operatorId}`);
}

/** Sets the managers of stores, in the order of the stores. */
export async function updateManagers(
  db: Db,
  tenantId: number,
  storeIds: number[],
  managerIds: (number | null)[],
): Promise<void> {
  await db.run(sql`
    update store set manager_id = input.manager_id
    from unnest(${storeIds}::bigint[], ${managerIds}::bigint[]) input (store_id, manager_id)
    where store.tenant_id = ${tenantId} and store.id = input.store_id`);
}

export async function deleteCabinetSecrets(
  db: Db,
  cabinets: DemoRecord["simulated"],
): Promise<void> {
  const ids = cabinets.map(({ cabinetId }) => cabinetId);
  await db.run(sql`delete from cabinet_secret where cabinet_id = any(${ids})`);
}

export interface SensorRow {
  cabinetId: number;
  no: number;
  isDoubleSided: boolean;
  item: ItemState;
}

export function findSensors(db: Db, cabinets: DemoRecord["simulated"]): Promise<SensorRow[]> {
  const ids = cabinets.map(({ cabinetId }) => cabinetId);
  return db.many(sql`
    select cabinet_id, no, door_back is not null as is_double_sided, item
    from compartment where cabinet_id = any(${ids})
    order by cabinet_id, no`);
}

/** Menu entries at these paths and below, with their buttons. */
export async function findEntryIds(db: Db, paths: readonly string[]): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    select id from menu_entry entry
    where exists (
      select from unnest(${[...paths]}::text[]) path
      where entry.uri = path or entry.uri like path || '/%' or entry.uri like path || ':%')`);
  return rows.map(({ id }) => id);
}
