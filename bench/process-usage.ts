// Memory and processor time of a process, from Linux /proc.
import { readFile } from "node:fs/promises";

/** Clock ticks per second in /proc (USER_HZ). */
const TICKS = 100;

export interface Usage {
  rssMb: number;
  /** Maximum since the process started. */
  peakMb: number;
  cpuSeconds: number;
}

export async function usageOf(pid: number): Promise<Usage> {
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
  ]);
  const mb = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  // Split after the last ")": the process name in parentheses may contain spaces.
  const [, , , , , , , , , , , user = "", system = ""] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ");
  const cpuSeconds = (Number(user) + Number(system)) / TICKS;
  return { rssMb: mb("VmRSS"), peakMb: mb("VmHWM"), cpuSeconds };
}
