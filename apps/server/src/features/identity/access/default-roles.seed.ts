// The default roles of every tenant, one for each userType that needs grants.
import { pathsForEveryone } from "@cabinet/contract/identity/access/routes.rules.ts";
import { isPlatformPath } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import type { Db } from "../../../platform/db/db.ts";
import {
  ensureDefaultRole,
  findDefaultRoles,
  findMenuEntries,
  grantMenuEntries,
  type MenuEntryRow,
} from "./access.sql.ts";

/** Permissions of maintenance staff: cabinets and doors of their stores, and the logs of these. */
const maintenancePermissions = new Set([
  "cabinet:read",
  "cabinet-event:read",
  "store:read",
  "compartment:read",
  "compartment:write",
  "command:read",
  "command:open",
  "order:read",
  "order:open",
  "malfunction:read",
  "malfunction:write",
]);
const maintenanceUris = new Set(["/dashboard", "/cupboard", "/malfunction", "/malfunction/index"]);

/** Platform-only areas are never granted by default; operators get the rest of the menu. */
function isForOperators({ uri }: MenuEntryRow): boolean {
  if (pathsForEveryone.has(uri)) return false;
  return !isPlatformPath(uri);
}

function isForMaintenance(entry: MenuEntryRow): boolean {
  if (maintenanceUris.has(entry.uri)) return true;
  const { permissions } = entry;
  return permissions.length > 0 && permissions.every((known) => maintenancePermissions.has(known));
}

/** By userType; maintenance staff see their own stores, whatever their roles say. */
const defaultRoles = {
  1: { defaultFor: 1, name: "运营管理员", storeScope: "ALL", isFor: isForOperators },
  2: { defaultFor: 2, name: "运维人员", storeScope: "OWN", isFor: isForMaintenance },
} as const;
type DefaultRole = (typeof defaultRoles)[1 | 2];

const idsFor = (role: DefaultRole, entries: MenuEntryRow[]) =>
  entries.filter(role.isFor).map((entry) => entry.id);

/** Creates the tenant's default roles where missing; returns their ids by userType. */
export async function ensureDefaultRoles(
  db: Db,
  tenantId: number,
): Promise<{ 1: number; 2: number }> {
  const entries = await findMenuEntries(db);
  async function make(role: DefaultRole): Promise<number> {
    const roleId = await ensureDefaultRole(db, tenantId, role);
    await grantMenuEntries(db, { tenantId, roleId }, idsFor(role, entries));
    return roleId;
  }
  return { 1: await make(defaultRoles[1]), 2: await make(defaultRoles[2]) };
}

/** Grants the menu entries of a new version to the existing default roles of all tenants. */
export async function grantToDefaultRoles(db: Db, added: MenuEntryRow[]): Promise<void> {
  for (const role of Object.values(defaultRoles)) {
    for (const found of await findDefaultRoles(db, role.defaultFor)) {
      await grantMenuEntries(db, found, idsFor(role, added));
    }
  }
}
