// Permissions of the signed-in account, from the menu entries that the server grants.
import {
  accessContract,
  type MenuEntry,
} from "@cabinet/contract/identity/access/access.contract.ts";
import type { Access } from "@cabinet/contract/kit/endpoint.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { accessOf, isPlatform } from "./access.rules.ts";
import { call } from "./api.ts";
import { takePrefetched } from "./prefetched.ts";
import { callKey, queryClient } from "./query.ts";
import { ownerOf, useIsImpersonating, useSession, useSignedIn } from "./session.ts";
import { userStore } from "./user-state.ts";

type Permission = Extract<Access, `${string}:${string}`>;

const REFRESH_MS = 60_000;
/** The console is empty without a menu, so a failed load is repeated soon. */
const RETRY_MS = 5_000;

const menuQuery = {
  queryKey: callKey(accessContract.menu),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(accessContract.menu, {}, { signal }),
  staleTime: REFRESH_MS / 2,
};

/** Requests the menu, on which most of the first page depends, before anything is drawn. A sign-in has returned it already. */
export function prefetchMenu(): Promise<void> {
  const taken = takePrefetched("menu");
  if (taken) {
    const { answer, arrivedAt: updatedAt } = taken;
    queryClient.setQueryData(menuQuery.queryKey, answer as MenuEntry[], { updatedAt });
  }
  return queryClient.prefetchQuery(menuQuery);
}

/**
 * Granted menu tree: the stored one at first, then the server's, refetched so that changed grants
 * apply; null while unknown.
 */
export function useMenu(): readonly MenuEntry[] | null {
  const session = useSession();
  const kept = userStore(({ owner, menu }) => (owner === ownerOf(session) ? menu : noEntries));
  const { data } = useQuery({
    ...menuQuery,
    enabled: session !== null,
    refetchInterval: ({ state }) => (state.data ? REFRESH_MS : RETRY_MS),
  });
  return data ?? (kept.length > 0 ? kept : null);
}

/** Checks any permission: platform staff have all, others none until the menu has loaded. */
export function usePermissions(): (permission: Permission) => boolean {
  return useAccess();
}

/** Checks any access of the contract, `platform` included. */
export function useAccess(): (access: Access) => boolean {
  const { userType, tenantId } = useSignedIn();
  const isImpersonating = useIsImpersonating();
  const menu = useMenu() ?? noEntries;
  return useMemo(
    () => accessOf({ userType, tenantId, menu, isVisit: isImpersonating }),
    [userType, tenantId, menu, isImpersonating],
  );
}

const noEntries: readonly MenuEntry[] = [];

/** For hiding buttons that the account may not use: `usePermission("cabinet:write")`. */
export function usePermission(permission: Permission): boolean {
  return usePermissions()(permission);
}

/** Platform staff (userType 0 of tenant 1) see all tenants and may filter by one. */
export function useIsPlatform(): boolean {
  return isPlatform(useSignedIn());
}
