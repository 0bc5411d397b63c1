// Lock file of a journal folder: two simulators would compete for the same cabinets.
import { mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Locks the folder for this process; the returned function releases it.
 * Returns the pid of the running simulator that holds the lock. A dead process's lock is stale.
 */
export async function lockFolder(folder: string): Promise<(() => Promise<void>) | number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, "simulator.pid");
  const owner = Number(await readFile(file, "utf8").catch(() => ""));
  if (owner > 0 && owner !== process.pid && isRunning(owner)) return owner;
  const handle = await open(file, "w", 0o600);
  await handle.writeFile(String(process.pid)).finally(() => handle.close());
  return () => rm(file, { force: true });
}
