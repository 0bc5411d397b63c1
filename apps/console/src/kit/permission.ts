// What the signed-in account may do, from the menu entries that the server grants it.
import { accessContract, type MenuEntry } from "@cabinet/contract/access/access.contract.ts";
import type { Access } from "@cabinet/contract/kit/endpoint.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { accessOf, isPlatform } from "./access.rules.ts";
import { call } from "./api.ts";
import { callKey } from "./query.ts";
import { useIsVisit, useSession, useSignedIn } from "./session.ts";

type Permission = Extract<Access, `${string}:${string}`>;

const REFRESH_MS = 60_000;

/** The granted menu tree, asked again from time to time so that grants follow; null while unknown. */
export function useMenu(): readonly MenuEntry[] | null {
  const session = useSession();
  const { data } = useQuery({
    queryKey: callKey(accessContract.menu),
    queryFn: ({ signal }) => call(accessContract.menu, {}, { signal }),
    enabled: session !== null,
    meta: { isQuiet: true },
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
  });
  return data ?? null;
}

/** Answers for any permission: platform staff may do everything, others nothing until the menu is there. */
export function usePermissions(): (permission: Permission) => boolean {
  return useAccess();
}

/** The same for any access of the contract, `platform` included. */
export function useAccess(): (access: Access) => boolean {
  const { userType, tenantId } = useSignedIn();
  const isVisit = useIsVisit();
  const menu = useMenu() ?? noEntries;
  return useMemo(
    () => accessOf({ userType, tenantId, menu, isVisit }),
    [userType, tenantId, menu, isVisit],
  );
}

const noEntries: readonly MenuEntry[] = [];

/** Buttons that the account may not use are not shown: `usePermission("cabinet:write")`. */
export function usePermission(permission: Permission): boolean {
  return usePermissions()(permission);
}

/** Platform staff (userType 0 of tenant 1) see all tenants and may filter by one. */
export function useIsPlatform(): boolean {
  return isPlatform(useSignedIn());
}
