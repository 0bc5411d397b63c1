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
  return { rssMb: mb("VmRSS"), peakMb: mb("VmHWM"), cpuSeconds: secondsOf(stat) };
}

/** Processor time of a process and of its children, those that have ended included. */
export async function familyCpuSeconds(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const own = secondsOf(await readFile(`/proc/${pid}/stat`, "utf8"), { withEnded: true });
  const living = await Promise.all(
    children
      .split(" ")
      .filter(Boolean)
      // A child that ends meanwhile is counted by its parent the next time.
      .map((child) => readFile(`/proc/${child}/stat`, "utf8").catch(() => "")),
  );
  return living.reduce((sum, stat) => sum + secondsOf(stat), own);
}

function secondsOf(stat: string, { withEnded = false } = {}): number {
  // Split after the last ")": the process name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // utime and stime, then those of the ended children.
  const ticks = fields.slice(11, withEnded ? 15 : 13).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS;
}
