// Accounts of the demo: one per userType and tenant, with random passwords in a private file.
import { randomBytes } from "node:crypto";
import { bindRole, ensureDefaultRoles } from "../../features/identity/access/index.ts";
import { hashPassword, insertOperator } from "../../features/identity/auth/index.ts";
import { signatureOf } from "../../platform/actor.ts";
import type { Database, Db } from "../../platform/db/db.ts";
import { type DemoRecord, exemptDemoAccount, updateDemoPassword } from "../demo.sql.ts";
import { insertRows } from "../rows.sql.ts";
import { demoTenants } from "./place.ts";
import { readJsonFile, writePrivateFile } from "./private-file.ts";
import { insertStaff } from "./staff.ts";

export const ACCOUNTS_FILE = "demo-accounts.json";

const roleNames = { 0: "admin", 1: "operator", 2: "maintenance" } as const;
const userTypes = [0, 1, 2] as const;
/** Number of stores per maintenance account. */
const STORES_OF_MAINTENANCE = 2;

export interface DemoActor {
  tenantId: number;
  operatorId: number;
  /** As records keep it. */
  signature: string;
}

/**
 * Creates the accounts of one tenant, by userType. Nobody can sign in until `ensureAccountsFile`.
 */
export async function insertAccounts(
  db: Db,
  nth: number,
  tenantId: number,
  storeIds: number[],
  now: number,
): Promise<DemoActor[]> {
  const roles = await ensureDefaultRoles(db, tenantId);
  const actors: DemoActor[] = [];
  for (const userType of userTypes) {
    const displayName = demoTenants[nth]?.people[userType] ?? "";
    const username = `demo${nth + 1}-${roleNames[userType]}`;
    const operatorId = await insertOperator(db, {
      tenantId,
      username,
      displayName,
      passwordHash: "none yet",
      userType,
      mustChangePassword: false,
      phone: `138000020${nth + 4}${userType}`,
    });
    const account = { tenantId, operatorId };
    // The platform's tenant is not of the demo alone, as those of its customers are.
    await exemptDemoAccount(db, operatorId);
    if (userType !== 0) await bindRole(db, account, roles[userType]);
    if (userType === 2) {
      const theirs = storeIds.slice(0, STORES_OF_MAINTENANCE);
      const rows = theirs.map((storeId) => ({
        tenant_id: tenantId,
        operator_id: operatorId,
        store_id: storeId,
      }));
      await insertRows(db, "operator_store", rows);
    }
    actors.push({ ...account, signature: signatureOf({ displayName, username }) });
  }
  await insertStaff(db, { nth, tenantId, storeIds, roles }, now);
  return actors;
}

/** Sets new passwords and writes them to the file, unless the file exists. */
export async function ensureAccountsFile(
  database: Database,
  demo: DemoRecord,
  file: string,
): Promise<void> {
  if ((await readJsonFile(file)) !== null) return;
  const accounts = await Promise.all(
    demo.accounts.map(async (account) => {
      const password = randomBytes(12).toString("base64url");
      return { account, password, passwordHash: await hashPassword(password) };
    }),
  );
  const listed = await database.transaction("platform", async (db) => {
    const rows = [];
    for (const { account, password, passwordHash } of accounts) {
      const row = await updateDemoPassword(db, account, passwordHash);
      if (row)
        rows.push({
          username: row.username,
          password,
          userType: row.userType,
          tenantId: row.tenantId,
        });
    }
    return rows;
  });
  await writePrivateFile(file, listed);
}
