// Erases all data of a closed tenant: rows of every table with its tenant_id, and its uploaded files.
import { remainsText, tenantStateText } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import type pg from "pg";
import { returnDevicesOf } from "../features/equipment/device-stock/index.ts";
import { beginErasure, findErasable, finishErasure } from "../features/identity/tenancy/index.ts";
import { insertAuditEntry } from "../platform/audit.sql.ts";
import { SettingsError } from "../platform/env.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { deleteStoredObject } from "../platform/files/stored-object.sql.ts";
import { inTransaction } from "./owner.ts";
import { findTenantTables, type TenantTable } from "./tenant-tables.ts";

/** Between the end of a tenant's use, by whatever state, and its erasure. */
export const GRACE_DAYS = 30;
const PLATFORM = 1;
/** Advisory lock key: one erasure at a time. */
const LOCK_KEY = 7_214_066;
const ROWS_AT_ONCE = 5_000;
/** Reports under way may add rows behind the deletion; none is added once the cabinets are gone. */
const ROUNDS = 3;
/** Signed heads of the audit chain: hashes without personal data, by which a copy of the log is verified later. */
const KEPT = new Set(["audit_seal"]);

export interface Erasable {
  tenantId: number;
  name: string;
  /** Sentences about money, goods and cabinets that the tenant still has. */
  remains: string[];
  /** An earlier erasure was interrupted. */
  isBegun: boolean;
}

/** Refuses a tenant that may not be erased; `client` is that of the tables' owner. */
export async function requireErasable(client: pg.Client, tenantId: number): Promise<Erasable> {
  const found = await inTransaction(client, (db) => findErasable(db, tenantId));
  if (!found || tenantId === PLATFORM) {
    throw new SettingsError(
      tenantId === PLATFORM ? "平台自己的数据不能清除。" : `没有编号为 ${tenantId} 的租户。`,
    );
  }
  const { name, state, closedDays, erasedAt, isBegun, ...remains } = found;
  if (erasedAt) throw new SettingsError(`租户 ${tenantId} 的数据已经清除。`);
  const isClosed = state === "SUSPENDED" || state === "EXPIRED" || state === "DELETED";
  if (!isBegun && !isClosed) {
    throw new SettingsError(
      `租户“${name}”${tenantStateText[state]}，不能清除：请先停用它，${GRACE_DAYS} 天后再清除。`,
    );
  }
  if (!isBegun && closedDays < GRACE_DAYS) {
    throw new SettingsError(
      `租户“${name}”${tenantStateText[state]}只有 ${closedDays} 天：满 ${GRACE_DAYS} 天才能清除。`,
    );
  }
  return { tenantId, name, isBegun, remains: remainsText(remains) };
}

/** Erases in batches, each in a transaction of its own; repeat it after an interruption. Returns rows by table. */
export async function eraseTenant(
  client: pg.Client,
  files: Pick<FileStore, "remove">,
  { tenantId, name }: Erasable,
): Promise<Record<string, number>> {
  const { rows } = await client.query("select pg_try_advisory_lock($1) as has_lock", [LOCK_KEY]);
  if (!rows[0]?.hasLock) throw new SettingsError("另一次清除正在进行。");
  const tables = (await findTenantTables(client)).filter((table) => !KEPT.has(table.name));
  await inTransaction(client, (db) => beginErasure(db, tenantId));
  const erased: Record<string, number> = {};
  for (let round = 1; ; round++) {
    const fileKeys = await findFileKeys(client, tenantId);
    await inTransaction(client, (db) => returnDevicesOf(db, tenantId));
    for (const table of tables) {
      const count = await eraseRows(client, table, tenantId);
      if (count > 0) erased[table.name] = (erased[table.name] ?? 0) + count;
    }
    for (const key of fileKeys) {
      await files.remove(key);
      await inTransaction(client, (db) => deleteStoredObject(db, key));
    }
    const left = await findTablesWithRows(client, tables, tenantId);
    if (left.length === 0) break;
    if (round === ROUNDS) throw new Error(`rows are still being written to ${left.join(", ")}`);
  }
  await inTransaction(client, async (db) => {
    await finishErasure(db, tenantId);
    const total = Object.values(erased).reduce((sum, count) => sum + count, 0);
    await insertAuditEntry(
      db,
      { tenantId: PLATFORM, operatorId: null, username: "storage" },
      { call: "storage tenant erase", summary: "清除租户数据" },
      null,
      { target: `租户 ${name}`, after: { id: tenantId, rows: total } },
    );
  });
  return erased;
}

async function findFileKeys(client: pg.Client, tenantId: number): Promise<string[]> {
  return inTransaction(client, async () => {
    const { rows } = await client.query("select storage_key from file where tenant_id = $1", [
      tenantId,
    ]);
    return rows.map(({ storageKey }) => storageKey);
  });
}

/** Grants the right for the transaction alone: nobody else sees it, and the server's roles stay without it. */
async function eraseRows(
  client: pg.Client,
  { name, primaryKey, refersToItself, mayDelete }: TenantTable,
  tenantId: number,
): Promise<number> {
  const table = client.escapeIdentifier(name);
  const key = primaryKey.map((column) => client.escapeIdentifier(column)).join(", ");
  // A referred row must not go before its referrers: those of one table go in one statement.
  const isWhole = refersToItself || primaryKey.length === 0;
  const statement = isWhole
    ? `delete from ${table} where tenant_id = $1`
    : `delete from ${table} where tenant_id = $1 and (${key}) in (
         select ${key} from ${table} where tenant_id = $1 limit ${ROWS_AT_ONCE})`;
  for (let total = 0; ; ) {
    await client.query("begin");
    try {
      if (!mayDelete) await client.query(`grant delete on ${table} to cabinet_platform`);
      await client.query("set local role cabinet_platform");
      const { rowCount } = await client.query(statement, [tenantId]);
      await client.query("reset role");
      if (!mayDelete) await client.query(`revoke delete on ${table} from cabinet_platform`);
      await client.query("commit");
      total += rowCount ?? 0;
      if (isWhole || (rowCount ?? 0) < ROWS_AT_ONCE) return total;
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  }
}

async function findTablesWithRows(
  client: pg.Client,
  tables: TenantTable[],
  tenantId: number,
): Promise<string[]> {
  return inTransaction(client, async () => {
    const left: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select exists (select from ${client.escapeIdentifier(name)} where tenant_id = $1) as found`,
        [tenantId],
      );
      if (rows[0]?.found) left.push(name);
    }
    return left;
  });
}
