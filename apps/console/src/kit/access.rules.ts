// Permissions of an account, calculated from the menu entries that the server grants.
import type { MenuEntry } from "@cabinet/contract/identity/access/access.contract.ts";
import { isReadingPermission } from "@cabinet/contract/identity/access/permission.rules.ts";
import { PLATFORM_TENANT_ID } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import type { Access } from "@cabinet/contract/kit/endpoint.ts";

export interface Viewer {
  userType: number;
  tenantId: number;
  /** Empty while unknown. */
  menu: readonly MenuEntry[];
  /** Impersonation: platform staff inside a tenant may only read. */
  isVisit?: boolean;
}

/** Platform staff (userType 0 of tenant 1) see all tenants and may do everything. */
export function isPlatform({ userType, tenantId }: Pick<Viewer, "userType" | "tenantId">): boolean {
  return userType === 0 && tenantId === PLATFORM_TENANT_ID;
}

function permissionsOf(entries: readonly MenuEntry[]): string[] {
  return entries.flatMap((entry) => [...entry.permissions, ...permissionsOf(entry.children)]);
}

/** By menu: dozens of components check permissions, each for itself. */
const collected = new WeakMap<readonly MenuEntry[], ReadonlySet<string>>();

function grantedBy(menu: readonly MenuEntry[]): ReadonlySet<string> {
  const granted = collected.get(menu) ?? new Set(permissionsOf(menu));
  collected.set(menu, granted);
  return granted;
}

/**
 * Checks any access of the contract. Accounts other than platform staff have none until the menu is
 * known.
 */
export function accessOf(viewer: Viewer): (access: Access) => boolean {
  const hasAll = isPlatform(viewer);
  const granted = grantedBy(viewer.menu);
  return (access) =>
    (hasAll || granted.has(access)) && (!viewer.isVisit || isReadingPermission(access));
}
