// Installation with its own demo, and checks that its data is complete and its files are right.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { SimulatedCabinets } from "@cabinet/link";
import { verifyPassword } from "../../apps/server/src/features/identity/auth/password.crypto.ts";
import { ensureTenant } from "../../apps/server/src/features/identity/tenancy/index.ts";
import { secretOwner } from "../../apps/server/src/features/link/device/gate/secret.sql.ts";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { FileStore } from "../../apps/server/src/platform/files/file-store.ts";
import { openFileStore } from "../../apps/server/src/platform/files/files.ts";
import { openVault } from "../../apps/server/src/platform/secrets.ts";
import { cloneDatabase, type TestDatabase } from "./postgres.ts";

export const addresses = { server: "http://127.0.0.1:19600", mqtt: "mqtt://127.0.0.1:19601" };

export interface Installation {
  clone: TestDatabase;
  database: Database;
  dataDir: string;
  files: FileStore;
  close(): Promise<void>;
}

export async function openInstallation(): Promise<Installation> {
  const clone = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "demo-test-"));
  const database = openDatabase(clone.url, { vault: await openVault(dataDir), max: 3 });
  await database.transaction("platform", (db) => ensureTenant(db, { id: 1, name: "平台" }));
  return {
    clone,
    database,
    dataDir,
    files: await openFileStore({ dataDir, s3: null }),
    async close() {
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

const counted = [
  "tenant",
  "operator",
  "operator_store",
  "store",
  "cabinet_model",
  "cabinet",
  "compartment",
  "command",
  "cabinet_event",
  "malfunction",
  "announcement",
  "storage_order",
  "ledger_journal",
] as const;

export async function countAll({ database }: Installation): Promise<Record<string, number>> {
  const counts = sql([
    `select ${counted.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(", ")}`,
  ]);
  return database.read("platform", (db) => db.one(counts));
}

export type Account = { username: string; password: string; userType: number; tenantId: number };

export async function readJson<Content>(dataDir: string, name: string): Promise<Content> {
  return JSON.parse(await readFile(path.join(dataDir, name), "utf8")) as Content;
}

/** User names from the file whose password is correct. */
export async function welcome({ database, dataDir }: Installation, accounts?: Account[]) {
  const listed = accounts ?? (await readJson<Account[]>(dataDir, "demo-accounts.json"));
  const names: string[] = [];
  for (const { username, password } of listed) {
    const { hash } = await database.read("platform", (db) =>
      db.one<{ hash: string }>(
        sql`select password_hash as hash from operator where username = ${username}`,
      ),
    );
    if (await verifyPassword(password, hash)) names.push(username);
  }
  return names;
}

/** Cabinets from the file whose secret equals the one in the database. */
export async function connectable({ database, dataDir }: Installation, file?: SimulatedCabinets) {
  const listed = file ?? (await readJson<SimulatedCabinets>(dataDir, "demo-cabinets.json"));
  const rows = await database.read("platform", (db) =>
    db.many<{ sn: string; kid: string; sealed: Buffer }>(sql`
      select cabinet.sn, secret.kid, secret.sealed_secret as sealed
      from cabinet_secret secret join cabinet on cabinet.tenant_id = secret.tenant_id
        and cabinet.id = secret.cabinet_id`),
  );
  const secretOf = new Map(
    rows.map(({ sn, kid, sealed }) => [sn, database.vault.open(sealed, secretOwner(sn, kid))]),
  );
  return listed.cabinets.filter(({ cabinetId, secret }) => secretOf.get(cabinetId) === secret);
}
