// Restores a backup into a data folder: verifies every byte, starts and checks the database, then renames the folder.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { LauncherLog } from "../platform/embedded-postgres/embedded-postgres-host.ts";
import { SettingsError } from "../platform/env.ts";
import { openCluster } from "./base-backup.ts";
import { type Checks, checkData } from "./check.ts";
import { copyFile } from "./copy.ts";
import { fingerprintOf, KEY_FILE, type Manifest, readManifest } from "./manifest.ts";
import { type Settled, settleMessages } from "./settle.ts";

export interface RestoreOptions {
  backup: string;
  /** A folder that is missing or empty. */
  into: string;
  /** File with the master key, for a backup without one. */
  keyFile: string | null;
  log: LauncherLog;
}

export interface Restored {
  checks: Checks;
  /** Null: the backup's version does not support it. */
  settled: Settled | null;
}

/** Restores completely, or throws and leaves nothing behind. */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { into } = options;
  if (existsSync(into) && (await readdir(into)).length > 0) {
    throw new SettingsError(`${into} 不是空的：请恢复到一个新的文件夹，旧数据留着以备对照。`);
  }
  const draft = `${into}.restoring`;
  await rm(draft, { recursive: true, force: true });
  try {
    const restored = await unpack(options, draft);
    if (existsSync(into)) await rmdir(into);
    await rename(draft, into);
    return restored;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Rehearsal: restores into a temporary folder and deletes it. */
export async function rehearse(options: Omit<RestoreOptions, "into">): Promise<Restored> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "storage-rehearsal-"));
  try {
    return await unpack(options, path.join(folder, "data"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(options: Omit<RestoreOptions, "into">, draft: string): Promise<Restored> {
  const { backup, log } = options;
  const manifest = await readManifest(backup);
  const key = await findKey(options, manifest);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  for (const folder of manifest.folders) {
    await mkdir(path.join(draft, folder), { recursive: true, mode: 0o700 });
  }
  await copyVerified(backup, draft, manifest);
  await writeFile(path.join(draft, KEY_FILE), key, { mode: 0o600 });
  const cluster = await openCluster(draft, log);
  try {
    const client = await cluster.connect();
    try {
      const checks = await checkData(client, manifest.hasOutsideFiles ? null : draft);
      return { checks, settled: await settleMessages(client) };
    } finally {
      await client.end();
    }
  } finally {
    await cluster.stop();
  }
}

async function findKey({ backup, keyFile }: Omit<RestoreOptions, "into">, manifest: Manifest) {
  const place = keyFile ?? (manifest.hasKey ? path.join(backup, KEY_FILE) : null);
  if (!place) {
    throw new SettingsError("这份备份不含主密钥：请用 --key 指定另外保管的 secret.key。");
  }
  const key = await readFile(place).catch(() => {
    throw new SettingsError(`读不到主密钥文件 ${place}。`);
  });
  if (fingerprintOf(key) !== manifest.keyFingerprint) {
    throw new SettingsError(`${place} 不是这份备份的主密钥：用它解不开备份里的密钥与令牌。`);
  }
  return key;
}

async function copyVerified(backup: string, draft: string, manifest: Manifest): Promise<void> {
  const broken: string[] = [];
  for (const file of manifest.files) {
    const copied = await copyFile(path.join(backup, file.path), path.join(draft, file.path));
    if (copied?.sha256 !== file.sha256) broken.push(file.path);
  }
  if (broken.length === 0) return;
  const named = broken.slice(0, 5).join("、");
  throw new SettingsError(
    `备份已损坏：${broken.length} 个文件缺失或与备份时不同（${named}），没有恢复任何数据。`,
  );
}
