// Prompts for a reload when the console has a new version (specification §4); checks every 8
// seconds.
import { useEffect } from "react";
import { confirm, toast } from "../../kit/feedback.ts";
import { hear, missAnswer } from "../../kit/network.ts";
import { isPromptDue, VERSION_CHECK_INTERVAL_MS, versionUrl } from "./version.rules.ts";

const POSTPONED_KEY = "cupboard:version-postponed-at";

/** Beside the version it learns, for pages without a live channel, whether the server answers. */
async function fetchVersion(): Promise<string | null> {
  const sentAt = Date.now();
  try {
    const response = await fetch(versionUrl(location.origin, sentAt), {
      cache: "no-store",
      signal: AbortSignal.timeout(VERSION_CHECK_INTERVAL_MS),
    });
    hear();
    const file: unknown = response.ok ? await response.json() : null;
    const version = (file as { version?: unknown } | null)?.version;
    return typeof version === "string" ? version : null;
  } catch {
    missAnswer(sentAt);
    return null;
  }
}

/** The worker fetches the new document first, however long that takes: it would answer a reload on a slow network with the old one. */
async function update(): Promise<void> {
  const worker = navigator.serviceWorker?.controller;
  if (worker) {
    toast.info("正在更新…");
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      worker.postMessage("update", [port2]);
    });
  }
  location.reload();
}

export function VersionPrompt() {
  useEffect(() => {
    // The document of a build names it. A worker may have answered with an older one than the server has.
    let running = document.documentElement.dataset.version ?? null;
    let isAsking = false;
    const check = async () => {
      const fetched = await fetchVersion();
      running ??= fetched;
      if (isAsking || fetched === null || running === null) return;
      const postponed = Number(localStorage.getItem(POSTPONED_KEY));
      const postponedAt = postponed > 0 ? postponed : null;
      if (!isPromptDue({ running, fetched, postponedAt, now: Date.now() })) return;
      isAsking = true;
      const isAgreed = await confirm({
        title: "发现新版本",
        content: "系统已更新，刷新页面后即可使用新版本。\n请先保存正在编辑的内容。",
        ok: "立即刷新",
        cancel: "稍后",
      });
      isAsking = false;
      // Also when the update fails: it must not ask again at once.
      localStorage.setItem(POSTPONED_KEY, String(Date.now()));
      if (isAgreed) await update();
    };
    check();
    const timer = setInterval(check, VERSION_CHECK_INTERVAL_MS);
    // Also the first to notice that the server answers again.
    window.addEventListener("online", check);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", check);
    };
  }, []);
  return null;
}
