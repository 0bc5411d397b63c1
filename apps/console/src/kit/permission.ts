// What the signed-in account may do: permissions come with its menu tree; userType 0 may everything.
import { accessContract, type MenuEntry } from "@cabinet/contract/access/access.contract.ts";
import type { Access } from "@cabinet/contract/kit/endpoint.ts";
import { useMemo } from "react";
import { useCall } from "./query.ts";
import { useSignedIn } from "./session.ts";

type Permission = Extract<Access, `${string}:${string}`>;

function permissionsOf(entries: readonly MenuEntry[]): string[] {
  return entries.flatMap((entry) => [...entry.permissions, ...permissionsOf(entry.children)]);
}

/** Answers for any permission; false for all until the menu is there. */
export function usePermissions(): (permission: Permission) => boolean {
  const { userType } = useSignedIn();
  const menu = useCall(accessContract.menu, {}, { staleTime: Number.POSITIVE_INFINITY });
  const granted = useMemo(() => new Set(permissionsOf(menu.data ?? [])), [menu.data]);
  return (permission) => userType === 0 || granted.has(permission);
}

/** Buttons that the account may not use are not shown: `usePermission("cabinet:write")`. */
export function usePermission(permission: Permission): boolean {
  return usePermissions()(permission);
}

/** Platform staff (userType 0 of tenant 1) see all tenants and may filter by one. */
export function useIsPlatform(): boolean {
  const { userType, tenantId } = useSignedIn();
  return userType === 0 && tenantId === 1;
}
