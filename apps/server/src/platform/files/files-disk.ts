// Files on the local disk: written to a temporary name, synced and renamed, so that every name is a whole file.
import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { FileStore } from "./file-store.ts";
import { HashingStream } from "./hashing-stream.ts";

const KEY = /^[0-9a-f-]{36}$/;
/** Partial files of a dead process are removed at a start after this age. */
const STALE_PART_MS = 60 * 60_000;

export async function openDiskStore(dataDir: string): Promise<FileStore> {
  const root = path.join(dataDir, "files");
  const unfinished = path.join(root, "unfinished");
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await removeStale(unfinished);

  function placeOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`not a key: ${key}`);
    return path.join(root, key.slice(0, 2), key);
  }

  return {
    async put(key, content) {
      const place = placeOf(key);
      const part = path.join(unfinished, randomUUID());
      const hashing = new HashingStream();
      try {
        await pipeline(content, hashing, createWriteStream(part, { mode: 0o600, flush: true }));
        await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
        await rename(part, place);
        await syncFolder(path.dirname(place));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      return hashing.outcome();
    },
    async read(key, range) {
      const handle = await open(placeOf(key));
      return createReadStream("", { fd: handle, ...range });
    },
    remove: (key) => rm(placeOf(key), { force: true }),
  };
}

async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file);
    if (mtimeMs < Date.now() - STALE_PART_MS) await rm(file, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
