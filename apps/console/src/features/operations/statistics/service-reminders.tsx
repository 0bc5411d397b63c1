// Reminders of expiring and expired cabinet services; null if there are none.
import {
  type ServiceState,
  serviceReminders,
} from "@cabinet/contract/fleet/cabinet/cabinet-service.rules.ts";
import { cabinetServiceContract } from "@cabinet/contract/fleet/cabinet-service/cabinet-service.contract.ts";
import type { ReactNode } from "react";
import { Link, pathTo } from "../../../kit/paths.ts";
import { useIsPlatform, usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";

export function useServiceReminders(tenantId: number | undefined): ReactNode {
  const isPlatform = useIsPlatform();
  const mayRead = usePermission("cabinet:read");
  const { data } = useCall(
    cabinetServiceContract.summary,
    { query: tenantId ? { tenantId } : {} },
    { enabled: mayRead },
  );
  const reminders = data ? serviceReminders(data) : [];
  if (reminders.length === 0) return null;
  const listOf = (state: ServiceState) =>
    isPlatform
      ? pathTo("/register/cabinetService", { state, tenantId })
      : pathTo("/cupboard/index", { serviceState: state });
  return (
    <span className="dashboard-reminder">
      <b>设备服务</b>
      {reminders.map(({ state, text }) => (
        <Link key={state} to={listOf(state)}>
          {text}
        </Link>
      ))}
    </span>
  );
}
