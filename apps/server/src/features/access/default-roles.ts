// The roles that every tenant begins with, one for each userType that needs grants.
import type { Db } from "../../platform/db.ts";
import { ensureRole, findMenuEntries, grantMenuEntries, type MenuEntryRow } from "./access.sql.ts";

const defaultRoleNames = { 1: "运营管理员", 2: "运维人员" } as const;

/** What maintenance staff work with: cabinets and doors of their stores, faults, logs. */
const maintenancePermissions = new Set([
  "cabinet:read",
  "cabinet-event:read",
  "store:read",
  "compartment:read",
  "compartment:write",
  "command:read",
  "command:open",
  "malfunction:read",
  "malfunction:write",
]);
const maintenanceUris = new Set(["/dashboard", "/cupboard", "/malfunction", "/malfunction/index"]);

/** Platform-only areas are never granted by default; the rest of the menu belongs to operators. */
function isForOperators(entry: MenuEntryRow): boolean {
  return !entry.uri.startsWith("/register") && !entry.uri.startsWith("/set/power");
}

function isForMaintenance(entry: MenuEntryRow): boolean {
  if (maintenanceUris.has(entry.uri)) return true;
  const { permissions } = entry;
  return permissions.length > 0 && permissions.every((known) => maintenancePermissions.has(known));
}

/** Makes the default roles of a tenant; returns their ids by userType. */
export async function ensureDefaultRoles(
  db: Db,
  tenantId: number,
): Promise<{ 1: number; 2: number }> {
  const entries = await findMenuEntries(db);
  async function make(name: string, isFor: (entry: MenuEntryRow) => boolean): Promise<number> {
    const roleId = await ensureRole(db, tenantId, name);
    await grantMenuEntries(
      db,
      { tenantId, roleId },
      entries.filter(isFor).map((entry) => entry.id),
    );
    return roleId;
  }
  return {
    1: await make(defaultRoleNames[1], isForOperators),
    2: await make(defaultRoleNames[2], isForMaintenance),
  };
}
