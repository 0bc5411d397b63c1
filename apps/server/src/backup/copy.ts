// Copies files and trees with a SHA-256 computed on the way; sources may change meanwhile.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface CopiedFile {
  /** Relative to the backup folder. */
  path: string;
  size: number;
  sha256: string;
}

/** Null when the file has disappeared: the database deletes some while it is copied. */
export async function copyFile(from: string, to: string): Promise<Omit<CopiedFile, "path"> | null> {
  const hash = createHash("sha256");
  let size = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(from), counting, createWriteStream(to, { mode: 0o600 }));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && syscall === "open") return null;
    throw error;
  }
  return { size, sha256: hash.digest("hex") };
}

export interface Copied {
  folders: string[];
  files: CopiedFile[];
}

/** Copies `from` to `root/name`; `skip` gets the path below `from`. Keeps folders, without skipped contents. */
export async function copyTree(
  from: string,
  root: string,
  name: string,
  skip: (below: string) => boolean,
): Promise<Copied> {
  const copied: Copied = { folders: [], files: [] };
  async function walk(below: string): Promise<void> {
    const place = path.join(name, below);
    copied.folders.push(place);
    await mkdir(path.join(root, place), { recursive: true, mode: 0o700 });
    const entries = await readdir(path.join(from, below), { withFileTypes: true }).catch(gone);
    for (const entry of entries) {
      const inside = path.join(below, entry.name);
      if (skip(inside)) continue;
      if (entry.isDirectory()) await walk(inside);
      else if (entry.isFile()) {
        const target = path.join(name, inside);
        const file = await copyFile(path.join(from, inside), path.join(root, target));
        if (file) copied.files.push({ path: target, ...file });
      } else if (entry.isSymbolicLink()) {
        throw new Error(`${path.join(from, inside)} is a link, which a backup cannot hold`);
      }
    }
  }
  await walk("");
  return copied;
}

function gone(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
