// Limit of open files: each cabinet at the embedded broker is one, each browser another.
import { readFileSync } from "node:fs";

/** Database, listeners, browsers and downloads. */
const OWN_FILES = 1_000;

/** Soft limit of this process; null where the system does not say. */
export function fileLimit(): number | null {
  try {
    const [, limit = ""] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    if (limit === "unlimited") return Number.POSITIVE_INFINITY;
    return limit === "" ? null : Number(limit);
  } catch {
    return null;
  }
}

/** Sentence about a limit that `cabinets` will exceed; null if it suffices or is unknown. */
export function fileLimitWarning(cabinets: number, limit = fileLimit()): string | null {
  const needed = cabinets + OWN_FILES;
  if (limit === null || limit >= needed) return null;
  return `文件上限 ${limit} 不够：${cabinets} 台柜机各占一个连接，应不小于 ${needed}。请提高 ulimit -n（systemd 为 LimitNOFILE）`;
}
