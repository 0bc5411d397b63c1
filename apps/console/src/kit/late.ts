// Modules that load when they are first needed; a failed load is tried again by a press, and when the network is back.
import { useCallback, useEffect, useRef, useState } from "react";
import { prefetchWhenIdle, whenPagePrefetchEnded } from "./idle.ts";
import { isServerLost, onNetworkBack } from "./network.ts";

/** As long as a call may take (specification §9); the file may still arrive afterwards. */
const PATIENCE_MS = 10_000;

export interface Late<Module> {
  /** Null until it has loaded. */
  module: Module | null;
  load: () => Promise<Module>;
}

/** Style sheets that failed. Vite requests each one once: a second try would load a part without its styles. */
const lostStyles = new Set<HTMLLinkElement>();
globalThis.window?.addEventListener(
  "error",
  ({ target }) => {
    const isStyle = target instanceof HTMLLinkElement && target.rel === "stylesheet";
    if (isStyle) lostStyles.add(target);
  },
  true,
);

const loadLostStyles = () =>
  Promise.all(
    Array.from(lostStyles, (lost) => {
      const link = lost.cloneNode() as HTMLLinkElement;
      lostStyles.delete(lost);
      lost.replaceWith(link);
      return new Promise((resolve, reject) =>
        Object.assign(link, { onload: resolve, onerror: reject }),
      );
    }),
  );

export function late<Module>(load: () => Promise<Module>): Late<Module> {
  let loading: Promise<Module> | null = null;
  const part: Late<Module> = {
    module: null,
    load: () => {
      loading ??= (lostStyles.size > 0 ? loadLostStyles().then(load) : load()).then(
        (module) => {
          part.module = module;
          return module;
        },
        (error) => {
          loading = null;
          // For those who await it: the browser's own message is English and has an address.
          const why = isServerLost() ? "网络已断开，请恢复后重试" : "加载失败，请重试";
          throw new Error(why, { cause: error });
        },
      );
      return loading;
    },
  };
  return part;
}

/** Loads a part in idle time, once the pages that are probably opened next are there: it then opens without a network. */
export function useAhead({ load }: Pick<Late<unknown>, "load">): void {
  useEffect(() => {
    let isGone = false;
    // Opening the part reports a failure.
    void whenPagePrefetchEnded
      .then(() => prefetchWhenIdle(() => isGone || load()))
      .catch(() => null);
    return () => {
      isGone = true;
    };
  }, [load]);
}

/** `stuck`: failed again with a network. Many browsers keep a file that failed as failed until the page is loaded anew. */
export type LateFailure = "offline" | "failed" | "stuck";

export interface LateState<Module> {
  module: Module | null;
  failure: LateFailure | null;
  /** Resolves to true if it is there then. */
  retry: () => Promise<boolean>;
}

/** Loads the part as soon as `isDue`. */
export function useLate<Module>(part: Late<Module>, isDue = true): LateState<Module> {
  // A function is a module here, too: React would call it.
  const [loaded, setLoaded] = useState({ module: part.module });
  const [failure, setFailure] = useState<LateFailure | null>(null);
  const module = loaded.module ?? part.module;
  const hasFailed = useRef(false);
  const retry = useCallback(async () => {
    const fail = (again: LateFailure = "failed") => setFailure(isServerLost() ? "offline" : again);
    const timer = setTimeout(fail, PATIENCE_MS);
    try {
      setLoaded({ module: await part.load() });
      setFailure(null);
      return true;
    } catch {
      fail(hasFailed.current ? "stuck" : "failed");
      hasFailed.current = true;
      return false;
    } finally {
      clearTimeout(timer);
    }
  }, [part]);
  const isMissing = isDue && module === null;
  useEffect(() => {
    if (isMissing) void retry();
  }, [isMissing, retry]);
  useEffect(() => {
    // A try that began without the network may still be under way, and fail.
    const tryTwice = async () => (await retry()) || retry();
    if (isMissing && failure) return onNetworkBack(() => void tryTwice());
  }, [isMissing, failure, retry]);
  const reload = async () => {
    location.reload();
    return false;
  };
  return {
    module,
    failure: isMissing ? failure : null,
    retry: failure === "stuck" ? reload : retry,
  };
}

interface LateText {
  title: string;
  hint: string;
  /** Label of the button. */
  remedy: string;
}

/** Texts of a part that has not loaded. */
export const lateText: Record<LateFailure, LateText> = {
  offline: { title: "网络已断开", hint: "网络恢复后自动加载", remedy: "重试" },
  failed: { title: "加载失败", hint: "网络不稳定，或系统刚刚更新", remedy: "重试" },
  stuck: {
    title: "加载失败",
    hint: "请刷新页面；刷新后仍失败，请在广告拦截扩展中放行本站",
    remedy: "刷新页面",
  },
};
