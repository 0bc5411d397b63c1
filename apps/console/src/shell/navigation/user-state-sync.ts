// Keeps the stored user state in step with the server.
import { accessContract } from "@cabinet/contract/identity/access/access.contract.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { useEffect, useRef } from "react";
import { toast } from "../../kit/feedback.ts";
import { useLive } from "../../kit/live.ts";
import { useMenu } from "../../kit/permission.ts";
import { callKey, queryClient, useCall } from "../../kit/query.ts";
import { ownerOf, useSession } from "../../kit/session.ts";
import { noUserState, userStore } from "../../kit/user-state.ts";
import { useLiveRefresh } from "../../ui/live/live.tsx";

const FRESH_MS = 30_000;

/** Synchronizes the account's menu with the server. */
export function useMenuFromServer(): void {
  const session = useSession();
  const owner = ownerOf(session) ?? "";
  const menu = useMenu();
  // Grants or store scopes changed: refetch menu, buttons and rows.
  useLive("access", () => void queryClient.invalidateQueries());
  useEffect(() => {
    if (userStore.getState().owner !== owner) userStore.setState({ ...noUserState, owner });
  }, [owner]);
  useEffect(() => {
    if (menu) userStore.setState({ menu });
  }, [menu]);
}

/**
 * Synchronizes fault count and tenant setting with the server; each navigation refetches stale
 * ones.
 */
export function useUserStateFromServer(path: string): void {
  const session = useSession();
  const { data: faultCount, refetch: countFaults } = useCall(
    malfunctionContract.size,
    { query: { status: "CREATED" } },
    { staleTime: FRESH_MS },
  );
  useLiveRefresh("malfunction", countFaults);
  const setting = useCall(
    tenantSettingContract.shell,
    {},
    { enabled: session !== null, staleTime: FRESH_MS },
  );
  useLive("setting", () => void setting.refetch());
  const lastCount = useRef<number>(undefined);

  useEffect(() => {
    if (setting.data) userStore.setState(setting.data);
  }, [setting.data]);
  useEffect(() => {
    if (faultCount === undefined) return;
    const risen = faultCount - (lastCount.current ?? faultCount);
    if (risen > 0 && userStore.getState().isHint) toast.warning(`新增 ${risen} 条待受理故障`);
    lastCount.current = faultCount;
    userStore.setState({ faultCount });
  }, [faultCount]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page visited is the occasion.
  useEffect(() => {
    for (const spec of [
      accessContract.menu,
      malfunctionContract.size,
      tenantSettingContract.shell,
    ]) {
      queryClient.refetchQueries(
        { queryKey: callKey(spec), type: "active", stale: true },
        { cancelRefetch: false },
      );
    }
  }, [path]);
}
