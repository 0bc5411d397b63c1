// 数据大屏: live dashboard of the whole business for any screen size, with the age of each figure.
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { useEffect, useState } from "react";
import { PageHelp } from "../../../domain/page-help.tsx";
import { useTenantPick } from "../../../domain/tenant/tenant-pick.tsx";
import { formatDateTime } from "../../../kit/format.ts";
import { useIsLive } from "../../../kit/live.ts";
import { Link } from "../../../kit/paths.ts";
import { useCall } from "../../../kit/query.ts";
import { useLiveRefresh, useLiveText } from "../../../ui/live/live.tsx";
import { ScreenAlarms, ScreenOrders, ScreenTopStores } from "./screen-lists.tsx";
import { ScreenMap } from "./screen-map.tsx";
import { ScreenCabinets, ScreenMoney, ScreenOccupancy } from "./screen-parts.tsx";
import "./large-screen.css";

/** Polling interval for data reported by cabinets; order events refetch at once. */
const REFRESH_MS = 15_000;

export default function LargeScreenPage() {
  const { tenantId, pick } = useTenantPick();
  const { data, error, dataUpdatedAt, refetch } = useCall(
    statisticsContract.screen,
    { query: tenantId ? { tenantId } : {} },
    { refetchInterval: REFRESH_MS },
  );
  useLiveRefresh("order", refetch);
  const at = data ? new Date(dataUpdatedAt).toISOString() : null;
  const isStale = error !== null;
  return (
    <main className="screen scheme-dark">
      <header className="screen-head">
        <Link to="/dashboard">返回首页</Link>
        <h1>智能存取系统 数据大屏</h1>
        <div>
          {pick}
          <Freshness isStale={isStale} />
          <Clock />
          <FullScreenButton />
          <PageHelp />
        </div>
      </header>
      {isStale && (
        <p className="screen-stale" role="alert">
          {data
            ? `未能更新，显示的是 ${formatDateTime(dataUpdatedAt)} 的数据；正在自动重试`
            : `数据加载失败：${error.message}；正在自动重试`}
        </p>
      )}
      <div className="screen-grid">
        <div className="screen-column">
          <ScreenMoney data={data} at={at} />
          <ScreenCabinets data={data} />
          <ScreenOccupancy data={data} />
          <ScreenTopStores data={data} at={at} />
        </div>
        <div className="screen-column">
          <ScreenMap stores={data?.stores} at={at} />
        </div>
        <div className="screen-column">
          <ScreenOrders data={data} at={at} />
          <ScreenAlarms data={data} at={at} />
        </div>
      </div>
    </main>
  );
}

function Freshness({ isStale }: { isStale: boolean }) {
  const isLive = useIsLive();
  const state = isStale ? "stale" : isLive ? "live" : "waiting";
  const [text] = useLiveText();
  return (
    <span className="screen-live" data-state={state} role="status">
      {isStale ? "未能更新" : text}
    </span>
  );
}

function Clock() {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <time>{formatDateTime(now)}</time>;
}

function FullScreenButton() {
  const [isFull, setIsFull] = useState(() => document.fullscreenElement !== null);
  useEffect(() => {
    const read = () => setIsFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", read);
    return () => document.removeEventListener("fullscreenchange", read);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () =>
    isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  return (
    <button type="button" onClick={toggle}>
      {isFull ? "退出全屏" : "全屏"}
    </button>
  );
}
