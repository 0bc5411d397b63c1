// Tests files on disk and in an S3-compatible store: complete or absent after any failure.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SettingsError } from "../env.ts";
import type { FileStore } from "./file-store.ts";
import { openFileStore } from "./files.ts";

let folder: string;
let s3: S3rver;
let settings: NonNullable<Parameters<typeof openFileStore>[0]["s3"]>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "files-"));
  s3 = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: path.join(folder, "s3"),
    configureBuckets: [{ name: "cabinet-files", configs: [] }],
  });
  const { port } = await s3.run();
  settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: "cn-east-1",
    bucket: "cabinet-files",
    // Credentials that the test store accepts.
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
  };
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
  );

async function* broken(bytes: Buffer) {
  yield bytes;
  throw new Error("the sender is gone");
}

describe.each(["disk", "S3"])("files on %s", (kind) => {
  let store: FileStore;
  beforeAll(async () => {
    const dataDir = path.join(folder, "disk");
    store = await openFileStore({ dataDir, s3: kind === "S3" ? settings : null });
  });

  it.each([1, 100_000, 18_000_000])("keep %i bytes unchanged", async (size) => {
    const key = randomUUID();
    const bytes = randomBytes(size);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(await store.put(key, inPieces(bytes, 60_000))).toEqual({ sizeBytes: size, sha256 });
    expect((await buffer(await store.read(key))).equals(bytes)).toBe(true);
    if (size > 1) {
      const range = { start: 17, end: size - 5 };
      const part = await buffer(await store.read(key, range));
      expect(part.equals(bytes.subarray(17, size - 4))).toBe(true);
    }
    await store.remove(key);
    await expect(store.read(key)).rejects.toThrow();
    await store.remove(key);
  });

  it("leave nothing of an interrupted upload", async () => {
    const key = randomUUID();
    const content = Readable.from(broken(randomBytes(9_000_000)));
    await expect(store.put(key, content)).rejects.toThrow("the sender is gone");
    await expect(store.read(key)).rejects.toThrow();
  });
});

it("disk files: a later start removes the partial files of a dead process and keeps fresh ones", async () => {
  const dataDir = path.join(folder, "crashed");
  const unfinished = path.join(dataDir, "files/unfinished");
  await mkdir(unfinished, { recursive: true });
  for (const name of ["old", "fresh"]) await writeFile(path.join(unfinished, name), "half");
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(path.join(unfinished, "old"), longAgo, longAgo);
  await openFileStore({ dataDir, s3: null });
  expect(await readdir(unfinished)).toEqual(["fresh"]);
});

it("disk files: a key cannot lead to another path", async () => {
  const store = await openFileStore({ dataDir: path.join(folder, "keys"), s3: null });
  for (const key of ["../../secret.key", "/etc/passwd", "", "a".repeat(36)]) {
    const wanted = store.read(key);
    await expect(wanted, key).rejects.toThrow(key === "a".repeat(36) ? /ENOENT/ : /not a key/);
  }
});

it.each([
  ["bucket", { bucket: "not-there" }],
  ["address", { endpoint: "http://127.0.0.1:9" }],
  ["keys", { accessKeyId: "NOBODY" }],
])("S3 files: a store with wrong %s is refused at the start with a message", async (_, wrong) => {
  const opening = openFileStore({ dataDir: folder, s3: { ...settings, ...wrong } });
  await expect(opening).rejects.toThrow(SettingsError);
  await expect(opening).rejects.toThrow(/S3 存储不可用/);
});
