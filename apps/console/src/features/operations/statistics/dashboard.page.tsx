// 首页: today's figures, trend of the last weeks, and to-dos.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  homeInputs,
  homeParts,
  homeScreenContract,
} from "@cabinet/contract/operations/statistics/home-screen.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { useTenantPick } from "../../../domain/tenant/tenant-pick.tsx";
import { call } from "../../../kit/api.ts";
import { usePermission } from "../../../kit/permission.ts";
import { takePrefetched } from "../../../kit/prefetched.ts";
import { cacheTogether, invalidate, prefetchTogether, useCall } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { userStore } from "../../../kit/user-state.ts";
import { useLiveRefresh } from "../../../ui/live/live.tsx";
import { CabinetCards, OrderCards } from "./home-cards.tsx";
import { HomeTodo } from "./home-todo.tsx";
import { HomeTrend } from "./home-trend.tsx";
import { OfflineCabinets, RecentCommands } from "./recent.tsx";
import { SetupChecklist, SetupReminder, useSetup } from "./setup-checklist.tsx";
import { SevereIncidents } from "./severe-incidents.tsx";
import "./dashboard.css";

const calm = { pace: "calm" } as const;

/** One request for all that the first screen shows, or none after a sign-in; the parts refresh with their own calls. */
export async function prefetch({ searchParams }: URL): Promise<void> {
  const tenantId = Number(searchParams.get("tenantId")) || undefined;
  const day = shanghaiDay(Date.now());
  const inputs = homeInputs(day, tenantId);
  const taken = tenantId ? null : takePrefetched("home");
  if (taken) {
    const { answer, arrivedAt: updatedAt } = taken;
    const answers = answer as Reply<typeof homeScreenContract.read>;
    cacheTogether(homeParts, inputs, { answers, updatedAt });
  } else {
    const query = { day, ...(tenantId && { tenantId }) };
    await prefetchTogether(homeParts, inputs, () => call(homeScreenContract.read, { query }));
  }
}

export default function DashboardPage() {
  const { username, userType } = useSignedIn();
  const displayName = userStore((state) => state.displayName);
  const maySeeStatistics = usePermission("statistics:read");
  const { tenantId, pick } = useTenantPick();
  const ofTheirs = tenantId ? { tenantId } : {};
  const cabinets = useCall(cabinetContract.statistics, { query: ofTheirs });
  const faults = useCall(malfunctionContract.size, { query: { status: "CREATED", ...ofTheirs } });
  const work = useCall(
    malfunctionContract.counts,
    { query: ofTheirs },
    { enabled: usePermission("malfunction:read") },
  );
  const home = useCall(statisticsContract.home, { query: ofTheirs });
  useLiveRefresh("cabinet", () => invalidate(cabinetContract.statistics), calm);
  useLiveRefresh(
    "malfunction",
    () =>
      invalidate(malfunctionContract.size, malfunctionContract.counts, malfunctionContract.list),
    calm,
  );
  useLiveRefresh("order", () => invalidate(statisticsContract.home), calm);
  const setup = useSetup(home.data, tenantId);
  const answers = [cabinets, faults, work, home];
  const hasFailed = answers.some(({ isError }) => isError);
  const retry = () => {
    for (const answer of answers) if (answer.isError) void answer.refetch();
  };

  return (
    <div className="dashboard" data-user-type={userType}>
      <header className="dashboard-head">
        <div>
          <h2 className="dashboard-hello">您好，{displayName || username}</h2>
          <div className="dashboard-sub">
            {setup ? <SetupReminder items={setup} /> : "设备、订单与待办的实时情况"}
          </div>
        </div>
        {pick}
      </header>
      {hasFailed && (
        <p className="dashboard-error" role="alert">
          部分数据加载失败。
          <button type="button" onClick={retry}>
            重试
          </button>
        </p>
      )}
      <SevereIncidents tenantId={tenantId} />
      <OrderCards home={home.data} hasFailed={home.isError} tenantId={tenantId} />
      <CabinetCards
        cabinets={cabinets.data}
        faults={faults.data}
        hasFailed={cabinets.isError || faults.isError}
        tenantId={tenantId}
      />
      <div className="dashboard-panels" data-kind="trend">
        {maySeeStatistics && <HomeTrend tenantId={tenantId} />}
        <HomeTodo
          home={home.data}
          cabinets={cabinets.data}
          faults={faults.data}
          work={work.data}
          tenantId={tenantId}
          hasFailed={hasFailed}
          onRetry={retry}
        />
      </div>
      <div className="dashboard-panels">
        <OfflineCabinets tenantId={tenantId} />
        <RecentCommands tenantId={tenantId} />
      </div>
      {setup && <SetupChecklist items={setup} />}
    </div>
  );
}
