// Creates one platform administrator on the first run; there is no default password (promise A5).
import type { Database } from "../../../platform/db/db.ts";
import { SettingsError } from "../../../platform/env.ts";
import { PLATFORM_TENANT_ID } from "../../organization/tenant/index.ts";
import {
  hashPassword,
  hasOperators,
  insertOperator,
  makeFirstPassword,
  weaknessOf,
} from "../auth/index.ts";
import { ensureTenant } from "./tenancy.sql.ts";

export interface FirstOperator {
  adminUsername: string;
  /** Null: random. */
  adminPassword: string | null;
}

/** Throws SettingsError with the violated password rule. */
export async function requireStrongPassword({
  adminUsername,
  adminPassword,
}: FirstOperator): Promise<void> {
  const why = adminPassword && (await weaknessOf(adminPassword, { username: adminUsername }));
  if (why) throw new SettingsError(`ADMIN_PASSWORD 过于简单，须满足：${why}`);
}

/**
 * Creates tenant 1 and its administrator if there is no account yet. Returns the random password to print once; null
 * if nothing was created or the password was given.
 */
export async function ensureFirstOperator(
  database: Database,
  { adminUsername, adminPassword }: FirstOperator,
): Promise<string | null> {
  if (await database.read("platform", hasOperators)) return null;
  const password = adminPassword ?? makeFirstPassword();
  const passwordHash = await hashPassword(password);
  const isMade = await database.transaction("platform", async (db) => {
    // Race with a second process: it waits for the insert of tenant 1 and then finds the account.
    await ensureTenant(db, { id: PLATFORM_TENANT_ID, name: "平台" });
    if (await hasOperators(db)) return false;
    await insertOperator(db, {
      tenantId: PLATFORM_TENANT_ID,
      username: adminUsername,
      displayName: "平台管理员",
      passwordHash,
      userType: 0,
      mustChangePassword: adminPassword === null,
    });
    return true;
  });
  return isMade && adminPassword === null ? password : null;
}
