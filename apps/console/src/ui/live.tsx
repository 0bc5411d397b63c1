// How fresh a screen is: it refreshes itself when something changed, and says whether it can.
import type { LiveTopic } from "@cabinet/contract/live/live.rules.ts";
import { useEffect, useRef } from "react";
import { useIsLive, useLive } from "../kit/live.ts";
import "./live.css";

const SOON_MS = 300;
const GAP_MS = 3_000;

/**
 * Calls `refresh` soon after something of the topic changed, in a storm once per `GAP_MS`; one that
 * is slow is waited for, since asking again would cancel it and a slow network would never show any.
 */
export function useLiveRefresh(topic: LiveTopic, refresh: () => unknown, cabinetId?: number): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastAt = useRef(0);
  const isDue = useRef(false);
  const schedule = () => {
    const wait = Math.max(SOON_MS, lastAt.current + GAP_MS - Date.now());
    timer.current = setTimeout(async () => {
      isDue.current = false;
      lastAt.current = Date.now();
      await refresh();
      timer.current = undefined;
      if (isDue.current) schedule();
    }, wait);
  };
  useLive(topic, (changedId) => {
    const isMine = cabinetId === undefined || changedId === null || changedId === cabinetId;
    if (!isMine) return;
    isDue.current = true;
    if (timer.current === undefined) schedule();
  });
  // A hidden tab's effects end and start again later.
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      isDue.current = false;
    },
    [],
  );
}

export interface LiveBadgeProps {
  topic: LiveTopic;
  refresh: () => unknown;
  /** Only what concerns this cabinet. */
  cabinetId?: number | undefined;
}

/** 实时 with a dot, beside a list that refreshes itself. */
export function LiveBadge({ topic, refresh, cabinetId }: LiveBadgeProps) {
  useLiveRefresh(topic, refresh, cabinetId);
  const isLive = useIsLive();
  return (
    <span
      className="ui-live"
      data-live={isLive}
      title={isLive ? "有变化时自动更新" : "实时连接已断开，正在重新连接；可点刷新手动更新"}
    >
      {isLive ? "实时" : "连接中"}
    </span>
  );
}
