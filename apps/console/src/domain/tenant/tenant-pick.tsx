// Tenant choice of a statistics page, kept in the URL.
import { tenantContract } from "@cabinet/contract/organization/tenant/tenant.contract.ts";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useIsPlatform } from "../../kit/permission.ts";
import { useCall } from "../../kit/query.ts";
import { LightSelect } from "../../ui/popup/light-select.tsx";
import "./tenant-pick.css";

/** For anybody but platform staff: no request and no choice. */
export function useTenantPick(): { tenantId: number | undefined; pick: ReactNode } {
  const isPlatform = useIsPlatform();
  const [params, setParams] = useSearchParams();
  const { data } = useCall(
    tenantContract.options,
    {},
    { enabled: isPlatform, staleTime: 60_000, toasts: true },
  );
  if (!isPlatform) return { tenantId: undefined, pick: null };
  const text = params.get("tenantId") ?? "";
  const tenantId = Number(text) || undefined;
  const choose = (chosen: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (chosen) after.set("tenantId", chosen);
        else after.delete("tenantId");
        return after;
      },
      { replace: true },
    );
  const pick = (
    <div className="tenant-pick">
      <span>租户</span>
      <LightSelect
        label="租户"
        options={data?.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={text}
        onChange={choose}
        placeholder="全部租户"
        isClearable
      />
    </div>
  );
  return { tenantId, pick };
}
