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

/** Processor time of a process and of its children, those that have ended included; all of them have one thread. */
export async function familyCpuSeconds(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const ended = secondsOf(await readFile(`/proc/${pid}/stat`, "utf8"), { ofEnded: true });
  const living = await Promise.all(
    [String(pid), ...children.split(" ").filter(Boolean)].map(async (each) => {
      // In nanoseconds, where `stat` has ticks. A child that ends meanwhile is counted by its parent the next time.
      const schedule = await readFile(`/proc/${each}/schedstat`, "utf8").catch(() => "0");
      return Number.parseInt(schedule, 10) / 1e9;
    }),
  );
  return living.reduce((sum, seconds) => sum + seconds, ended);
}

function secondsOf(stat: string, { ofEnded = false } = {}): number {
  // Split after the last ")": the process name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // utime and stime, then those of the ended children.
  const ticks = (ofEnded ? fields.slice(13, 15) : fields.slice(11, 13)).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS;
}
