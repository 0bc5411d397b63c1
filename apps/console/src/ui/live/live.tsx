// Live refresh of a screen after change events, with a badge that shows whether the channel is up.
import type { LiveTopic } from "@cabinet/contract/live/live.rules.ts";
import { useEffect, useRef } from "react";
import { useIsLive, useLive, useLiveRefusal } from "../../kit/live.ts";
import "./live.css";

/**
 * Debounce after a change and minimum interval between refreshes: a door's changes come in groups.
 */
const paces = {
  list: { soonMs: 300, gapMs: 3_000 },
  /** A single cabinet on screen is refreshed more often than a list. */
  close: { soonMs: 150, gapMs: 600 },
  /** Figures that are looked at, not worked with. */
  calm: { soonMs: 1_000, gapMs: 15_000 },
} as const;

interface LiveRefreshOptions {
  /** Ignores changes of other cabinets. */
  cabinetId?: number | undefined;
  pace?: keyof typeof paces;
}

/** Resolves at once unless the browser tab is hidden. */
function untilVisible(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

/**
 * Calls `refresh` soon after a change of the topic, the first time not before the pace's interval
 * has passed since the screen appeared, and not while the tab is hidden. Awaits a slow refresh: starting another would
 * cancel it, and a slow network would never show any.
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
      await untilVisible();
      if (timer.current === undefined) return;
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
  useEffect(() => {
    lastAt.current = Date.now();
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      isDue.current = false;
    };
  }, []);
}

/** Fallback poll interval for lost pushes; shorter without the live channel. */
export function usePollMs(): number {
  return useIsLive() ? 30_000 : 5_000;
}

/** Text and tooltip about the channel, the same wherever a screen refreshes itself. */
export function useLiveText(): readonly [text: string, title: string] {
  const isLive = useIsLive();
  const refusal = useLiveRefusal();
  if (isLive) return ["实时", "有变化时自动更新"];
  return refusal
    ? ["实时通道已用完", `${refusal}；可点刷新手动更新`]
    : ["连接中", "实时连接已断开，正在重新连接；可点刷新手动更新"];
}

export interface LiveBadgeProps {
  topic: LiveTopic;
  refresh: () => unknown;
  /** Ignores changes of other cabinets. */
  cabinetId?: number | undefined;
  /** The screen could not be loaded or refreshed: it is not up to date, whatever the channel. */
  hasFailed?: boolean;
}

/** Badge 实时 with a dot, next to a list that refreshes itself. */
export function LiveBadge({ topic, refresh, cabinetId, hasFailed = false }: LiveBadgeProps) {
  useLiveRefresh(topic, refresh, { cabinetId });
  const isLive = useIsLive();
  const [text, title] = useLiveText();
  if (hasFailed) return null;
  return (
    <span className="ui-live" data-live={isLive} title={title}>
      {text}
    </span>
  );
}
