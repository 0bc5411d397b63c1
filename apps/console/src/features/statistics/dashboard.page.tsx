// 首页: how the cabinets and orders are today, how the last weeks went, and what waits to be done.
import { cabinetContract } from "@cabinet/contract/cabinet/cabinet.contract.ts";
import { malfunctionContract } from "@cabinet/contract/malfunction/malfunction.contract.ts";
import { statisticsContract } from "@cabinet/contract/statistics/statistics.contract.ts";
import { usePermission } from "../../kit/permission.ts";
import { invalidate, useCall } from "../../kit/query.ts";
import { useSignedIn } from "../../kit/session.ts";
import { useLiveRefresh } from "../../ui/live.tsx";
import { CabinetCards, OrderCards } from "./home-cards.tsx";
import { HomeTodo } from "./home-todo.tsx";
import { HomeTrend } from "./home-trend.tsx";
import { OfflineCabinets, RecentCommands } from "./recent.tsx";
import { ServiceReminders } from "./service-reminders.tsx";
import "./dashboard.css";

export default function DashboardPage() {
  const { username } = useSignedIn();
  const maySeeStatistics = usePermission("statistics:read");
  const cabinets = useCall(cabinetContract.statistics, {}, { isQuiet: true });
  const faults = useCall(
    malfunctionContract.size,
    { query: { status: "CREATED" } },
    { isQuiet: true },
  );
  const home = useCall(statisticsContract.home, {}, { isQuiet: true });
  useLiveRefresh("cabinet", () => invalidate(cabinetContract.statistics, malfunctionContract.size));
  useLiveRefresh("order", () => invalidate(statisticsContract.home));
  const answers = [cabinets, faults, home];

  return (
    <div className="dashboard">
      <header className="dashboard-head">
        <h2 className="dashboard-hello">您好，{username}</h2>
        <p>设备、订单与待办的实时情况</p>
      </header>
      {answers.some(({ isError }) => isError) && (
        <p className="dashboard-error" role="alert">
          部分数据没有取到。
          <button
            type="button"
            onClick={() => {
              for (const answer of answers) answer.refetch();
            }}
          >
            重试
          </button>
        </p>
      )}
      <ServiceReminders />
      <OrderCards home={home.data} />
      <CabinetCards cabinets={cabinets.data} faults={faults.data} />
      <div className="dashboard-panels" data-kind="trend">
        {maySeeStatistics && <HomeTrend />}
        <HomeTodo home={home.data} cabinets={cabinets.data} faults={faults.data} />
      </div>
      <div className="dashboard-panels">
        <OfflineCabinets />
        <RecentCommands />
      </div>
    </div>
  );
}
