// How fresh a screen is: it refreshes itself when something changed, and says whether it can.
import type { LiveTopic } from "@cabinet/contract/live/live.rules.ts";
import { useEffect, useRef } from "react";
import { useIsLive, useLive } from "../kit/live.ts";
import "./live.css";

/** How soon after a change, and in a storm how often: changes of a door come in groups. */
const paces = {
  list: { soonMs: 300, gapMs: 3_000 },
  /** One cabinet that somebody looks at is watched more closely than a list of many. */
  close: { soonMs: 150, gapMs: 600 },
} as const;

interface LiveRefreshOptions {
  /** Only what concerns this cabinet. */
  cabinetId?: number | undefined;
  pace?: keyof typeof paces;
}

/**
 * Calls `refresh` soon after something of the topic changed. One that is slow is waited for, since
 * asking again would cancel it and a slow network would never show any.
 */
export function useLiveRefresh(
  topic: LiveTopic,
  refresh: () => unknown,
  { cabinetId, pace = "list" }: LiveRefreshOptions = {},
): void {
  const { soonMs, gapMs } = paces[pace];
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastAt = useRef(0);
  const isDue = useRef(false);
  const schedule = () => {
    const wait = Math.max(soonMs, lastAt.current + gapMs - Date.now());
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

/** How often a screen asks anyway, for what a lost push left behind; oftener without the channel. */
export function usePollMs(): number {
  return useIsLive() ? 30_000 : 5_000;
}

export interface LiveBadgeProps {
  topic: LiveTopic;
  refresh: () => unknown;
  /** Only what concerns this cabinet. */
  cabinetId?: number | undefined;
}

/** 实时 with a dot, beside a list that refreshes itself. */
export function LiveBadge({ topic, refresh, cabinetId }: LiveBadgeProps) {
  useLiveRefresh(topic, refresh, { cabinetId });
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
