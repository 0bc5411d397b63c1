// What a process uses: memory and processor time, as Linux counts them.
import { readFile } from "node:fs/promises";

/** Of one second, as /proc counts. */
const TICKS = 100;

export interface Usage {
  rssMb: number;
  /** The most it ever was. */
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
  // The name in parentheses may hold spaces; what follows it does not.
  const [, , , , , , , , , , , user = "", system = ""] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ");
  const cpuSeconds = (Number(user) + Number(system)) / TICKS;
  return { rssMb: mb("VmRSS"), peakMb: mb("VmHWM"), cpuSeconds };
}
