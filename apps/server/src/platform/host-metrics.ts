// Prometheus metrics of the machine: disk space and age of the last backup.
import { stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { Settings } from "./env.ts";
import { host } from "./metrics.ts";

/** Written by each complete backup; whoever backs up with other tools touches it. */
export const LAST_BACKUP_FILE = "last-backup";

/** Backups of an outside database are known only to whoever makes them: 0 would be a false alarm for ever. */
export async function measureHost({
  dataDir,
  databaseUrl,
}: Pick<Settings, "dataDir" | "databaseUrl">): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  host.diskFree.set(bavail * bsize);
  host.diskSize.set(blocks * bsize);
  const stamp = await stat(path.join(dataDir, LAST_BACKUP_FILE)).catch(() => null);
  if (stamp || databaseUrl === null) host.backupAt.set((stamp?.mtimeMs ?? 0) / 1000);
}
