// What the signed-in account may do, from the menu entries that the server grants it.
import { accessContract, type MenuEntry } from "@cabinet/contract/access/access.contract.ts";
import type { Access } from "@cabinet/contract/kit/endpoint.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "./api.ts";
import { callKey } from "./query.ts";
import { useSession } from "./session.ts";

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

/** Whether a call with this access would be let through; userType 0 may do everything. */
export function useMay(access: Access): boolean {
  const session = useSession();
  const menu = useMenu();
  const granted = useMemo(() => permissionsOf(menu ?? []), [menu]);
  return session?.userType === 0 || granted.has(access);
}

function permissionsOf(entries: readonly MenuEntry[]): Set<string> {
  const found = new Set<string>();
  const visit = (entry: MenuEntry) => {
    for (const permission of entry.permissions) found.add(permission);
    entry.children.forEach(visit);
  };
  entries.forEach(visit);
  return found;
}
