// Takes one backup: database, uploaded files and master key in one folder, complete or absent.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  chownTree,
  type LauncherLog,
} from "../platform/embedded-postgres/embedded-postgres-host.ts";
import { SettingsError } from "../platform/env.ts";
import { LAST_BACKUP_FILE } from "../platform/host-metrics.ts";
import { copyCluster, openCluster } from "./base-backup.ts";
import { type Copied, copyTree } from "./copy.ts";
import {
  DATABASE_FOLDER,
  FILES_FOLDER,
  fingerprintOf,
  KEY_FILE,
  MANIFEST,
  type Manifest,
} from "./manifest.ts";

export interface BackUpOptions {
  dataDir: string;
  /** Parent folder of all backups, one subfolder each. */
  to: string;
  hasOutsideFiles: boolean;
  /** Master keys from the environment; null reads `secret.key`. */
  keys: Buffer | null;
  withKey: boolean;
  /** Number of newest backups to keep; null keeps all. */
  keep: number | null;
  now: Date;
  log: LauncherLog;
}

const NAME = /^backup-\d{8}T\d{6}Z$/;
const UNFINISHED = ".unfinished";

/** Takes a backup; returns its folder and manifest. */
export async function backUp(
  options: BackUpOptions,
): Promise<{ folder: string; manifest: Manifest }> {
  const { dataDir, to, now } = options;
  const source = path.join(dataDir, DATABASE_FOLDER);
  if (!existsSync(path.join(source, "PG_VERSION"))) {
    throw new SettingsError(
      `${dataDir} 里没有内置数据库：请用 DATA_DIR 指定服务正在使用的数据文件夹。`,
    );
  }
  if (`${path.resolve(to)}/`.startsWith(`${path.resolve(dataDir)}/`)) {
    throw new SettingsError("备份不能放在数据文件夹里面：请用 --to 指定别处，最好是另一块磁盘。");
  }
  const key =
    options.keys ??
    (await readFile(path.join(dataDir, KEY_FILE)).catch(() => {
      throw new SettingsError(`${dataDir} 里没有 ${KEY_FILE}，或当前账户读不到它。`);
    }));
  const made = await mkdir(to, { recursive: true, mode: 0o700 });
  const folder = path.join(to, `backup-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`);
  const draft = `${folder}${UNFINISHED}`;
  await mkdir(draft, { mode: 0o700 }).catch(() => {
    throw new SettingsError(
      `${draft} 已经存在：可能另一次备份正在进行；如果没有，请删除它后重试。`,
    );
  });
  try {
    const manifest = await fill(draft, options, key);
    await rename(draft, folder);
    const stamp = path.join(dataDir, LAST_BACKUP_FILE);
    await writeFile(stamp, `${folder}\n`, { mode: 0o600 });
    // Run by root, the service's account must still be able to read it: 验证备份.
    if (process.getuid?.() === 0) {
      const owner = await stat(dataDir);
      chownTree(made ?? folder, owner);
      chownTree(stamp, owner);
    }
    if (options.keep !== null) await forgetOld(to, options.keep);
    return { folder, manifest };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function fill(draft: string, options: BackUpOptions, key: Buffer): Promise<Manifest> {
  const { dataDir, hasOutsideFiles, withKey, now, log } = options;
  const source = path.join(dataDir, DATABASE_FOLDER);
  // Files are copied before and after the database: each file the database refers to existed at one of the two times.
  const files = hasOutsideFiles ? null : new UploadedFiles(dataDir, draft);
  await files?.copyNew();
  const cluster = await openCluster(dataDir, log);
  const client = await cluster.connect();
  const database = await copyCluster(client, source, draft).finally(async () => {
    await client.end();
    await cluster.stop();
  });
  await files?.copyNew();
  const all: Copied = {
    folders: [...database.folders, ...(files?.copied.folders ?? [])],
    files: [...database.files, ...(files?.copied.files ?? [])],
  };
  if (withKey) {
    await writeFile(path.join(draft, KEY_FILE), key, { mode: 0o600 });
    const sha256 = createHash("sha256").update(key).digest("hex");
    all.files.push({ path: KEY_FILE, size: key.length, sha256 });
  }
  const manifest: Manifest = {
    format: 1,
    createdAt: now.toISOString(),
    postgres: (await readFile(path.join(source, "PG_VERSION"), "utf8")).trim(),
    startLsn: database.startLsn,
    stopLsn: database.stopLsn,
    keyFingerprint: fingerprintOf(key),
    hasKey: withKey,
    hasOutsideFiles,
    ...all,
  };
  await writeFile(path.join(draft, MANIFEST), JSON.stringify(manifest, null, 1), { mode: 0o600 });
  // Sync to disk before the final name marks the backup as complete.
  spawnSync("sync", ["-f", draft]);
  return manifest;
}

/** Uploaded files are immutable once named, so a copied file is never copied again. */
class UploadedFiles {
  readonly copied: Copied = { folders: [], files: [] };
  readonly #from: string;
  readonly #draft: string;

  constructor(dataDir: string, draft: string) {
    this.#from = path.join(dataDir, FILES_FOLDER);
    this.#draft = draft;
  }

  async copyNew(): Promise<void> {
    const known = new Set(this.copied.files.map((file) => file.path));
    const { folders, files } = await copyTree(
      this.#from,
      this.#draft,
      FILES_FOLDER,
      (below) => below.startsWith("unfinished/") || known.has(path.join(FILES_FOLDER, below)),
    );
    this.copied.folders = [...new Set([...this.copied.folders, ...folders])];
    this.copied.files.push(...files);
  }
}

/** Deletes the oldest backups beyond `keep`: only complete ones with our folder name. */
async function forgetOld(to: string, keep: number): Promise<void> {
  const names = (await readdir(to)).filter((name) => NAME.test(name)).sort();
  for (const name of names.slice(0, Math.max(0, names.length - keep))) {
    if (existsSync(path.join(to, name, MANIFEST))) {
      await rm(path.join(to, name), { recursive: true });
    }
  }
}
