// Age of the last backup, and a check of its files: complete by size, and a sample by SHA-256.
import { createHash, randomInt } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { backupContract } from "@cabinet/contract/operations/backup/backup.contract.ts";
import { type Manifest, readManifest } from "../../../backup/manifest.ts";
import { SettingsError } from "../../../platform/env.ts";

/** As the alert 备份过期 (deploy/prometheus). */
const RECENT_MS = 48 * 3_600_000;
/** A whole backup takes minutes to read, which `restore --check` does; another sample each time. */
const SUM_MS = 4_000;
const NAMED = 3;

type Check = Reply<typeof backupContract.check>;

/** `stamp`: the file that a backup writes when it is complete. */
export async function findLatest(stamp: string): Promise<Reply<typeof backupContract.latest>> {
  const takenMs = (await stat(stamp).catch(() => null))?.mtimeMs ?? null;
  return {
    takenAt: takenMs === null ? null : new Date(takenMs).toISOString(),
    isRecent: takenMs !== null && Date.now() - takenMs < RECENT_MS,
  };
}

export async function checkLatest(stamp: string): Promise<Check> {
  const folder = await readFile(stamp, "utf8").catch(() => null);
  if (folder === null) return failed("尚无备份");
  if (folder.trim() === "") return failed("备份由其他工具完成，请用该工具验证");
  try {
    return await checkFiles(folder.trim(), await readManifest(folder.trim()));
  } catch (error) {
    if (error instanceof SettingsError) return failed(error.message);
    throw error;
  }
}

const failed = (problem: string, counts = { files: 0, summed: 0 }): Check => ({
  problem,
  ...counts,
});

async function checkFiles(folder: string, { files }: Manifest): Promise<Check> {
  const broken: string[] = [];
  for (const file of files) {
    const found = await stat(path.join(folder, file.path)).catch(() => null);
    if (found?.size !== file.size) broken.push(file.path);
  }
  const from = files.length > 0 ? randomInt(files.length) : 0;
  const endsAt = performance.now() + SUM_MS;
  let summed = 0;
  for (const file of broken.length > 0 ? [] : [...files.slice(from), ...files.slice(0, from)]) {
    if (performance.now() > endsAt) break;
    if ((await sumOf(path.join(folder, file.path))) !== file.sha256) broken.push(file.path);
    summed += 1;
  }
  const counts = { files: files.length, summed };
  if (broken.length === 0) return { problem: null, ...counts };
  const named = broken.slice(0, NAMED).join("、");
  return failed(`${broken.length} 个文件缺失或与备份时不同（${named}），请重新备份`, counts);
}

/** Null for a file that cannot be read. */
async function sumOf(file: string): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(file), hash);
    return hash.digest("hex");
  } catch {
    return null;
  }
}
