// What a backup says of itself: its files with their hashes, the moment it stands for, and which key it belongs to.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { SettingsError } from "../platform/env.ts";
import { Vault } from "../platform/secrets.ts";

export const MANIFEST = "manifest.json";
/** Parts of a backup, as they lie in a data folder too. */
export const DATABASE_FOLDER = "postgres";
export const FILES_FOLDER = "files";
export const KEY_FILE = "secret.key";

const Manifest = Type.Object({
  format: Type.Literal(1),
  createdAt: Type.String(),
  /** Major version of PostgreSQL. */
  postgres: Type.String(),
  startLsn: Type.String(),
  stopLsn: Type.String(),
  /** Of the master key; tells the right one from others without saying anything about it. */
  keyFingerprint: Type.String(),
  hasKey: Type.Boolean(),
  /** Uploaded files lie in an S3 store and are not in here. */
  hasOutsideFiles: Type.Boolean(),
  folders: Type.Array(Type.String()),
  files: Type.Array(
    Type.Object({ path: Type.String(), size: Type.Integer(), sha256: Type.String() }),
  ),
});
export type Manifest = Static<typeof Manifest>;

export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readFile(path.join(backup, MANIFEST), "utf8").catch(() => {
    throw new SettingsError(`${backup} 不是一份完整的备份：里面没有 ${MANIFEST}。`);
  });
  const value = parse(text);
  if (!Value.Check(Manifest, value)) {
    throw new SettingsError(`${backup} 的 ${MANIFEST} 读不懂：它已损坏，或来自更新版本的系统。`);
  }
  const isOutside = ({ path: name }: { path: string }) =>
    path.isAbsolute(name) || path.normalize(name).startsWith("..");
  if (value.files.some(isOutside) || value.folders.some((name) => isOutside({ path: name }))) {
    throw new SettingsError(`${backup} 的 ${MANIFEST} 指向备份之外的文件，已停止。`);
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function fingerprintOf(key: Buffer): string {
  const derived = new Vault(key).derive("backup-fingerprint");
  return createHash("sha256").update(derived).digest("hex").slice(0, 16);
}
