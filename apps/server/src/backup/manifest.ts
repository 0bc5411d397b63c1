// Manifest of a backup: its files with hashes, its LSN range, and the fingerprint of its master key.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { SettingsError } from "../platform/env.ts";
import { keysIn, Vault } from "../platform/secrets.ts";
import type { CopiedFile } from "./copy.ts";

export const MANIFEST = "manifest.json";
/** Names of the parts, the same in a backup and in a data folder. */
export const DATABASE_FOLDER = "postgres";
export const FILES_FOLDER = "files";
export const KEY_FILE = "secret.key";

export interface Manifest {
  format: 1;
  createdAt: string;
  /** Major version of PostgreSQL. */
  postgres: string;
  startLsn: string;
  stopLsn: string;
  /** Fingerprint of the master key: identifies the right key without revealing anything about it. */
  keyFingerprint: string;
  hasKey: boolean;
  /** Uploaded files are in an S3 store and not in this backup. */
  hasOutsideFiles: boolean;
  folders: string[];
  files: CopiedFile[];
}

export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readFile(path.join(backup, MANIFEST), "utf8").catch(() => {
    throw new SettingsError(`${backup} 不是一份完整的备份：里面没有 ${MANIFEST}。`);
  });
  const value = parse(text);
  if (!isManifest(value)) {
    throw new SettingsError(`${backup} 的 ${MANIFEST} 读不懂：它已损坏，或来自更新版本的系统。`);
  }
  const places = [...value.folders, ...value.files.map((file) => file.path)];
  if (places.some((place) => path.isAbsolute(place) || path.normalize(place).startsWith(".."))) {
    throw new SettingsError(`${backup} 的 ${MANIFEST} 指向备份之外的文件，已停止。`);
  }
  return value;
}

function isManifest(value: unknown): value is Manifest {
  const { format, keyFingerprint, folders, files } = (value ?? {}) as Partial<Manifest>;
  return (
    format === 1 &&
    typeof keyFingerprint === "string" &&
    Array.isArray(folders) &&
    folders.every((folder) => typeof folder === "string") &&
    Array.isArray(files) &&
    files.every((file) => typeof file?.path === "string" && typeof file.sha256 === "string")
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function fingerprintOf(key: Buffer): string {
  const hash = createHash("sha256");
  for (const each of keysIn(key)) hash.update(new Vault(each).derive("backup-fingerprint"));
  return hash.digest("hex").slice(0, 16);
}
