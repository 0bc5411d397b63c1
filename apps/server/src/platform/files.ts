// Where uploaded files lie: the local disk by default, an S3-compatible store by setting. One interface.
import type { Readable } from "node:stream";
import { openDiskStore } from "./files-disk.ts";

export interface StoredObject {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface ByteRange {
  start: number;
  /** Included. */
  end: number;
}

export interface FileStore {
  /** Stores the whole stream under this key or nothing; size and SHA-256 are taken as it passes. */
  put(key: string, content: Readable): Promise<StoredObject>;
  /** Rejects when there is no such object. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Also when there is none. */
  remove(key: string): Promise<void>;
}

export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Throws when the store cannot be used. */
export async function openFileStore(settings: {
  dataDir: string;
  s3: S3Settings | null;
}): Promise<FileStore> {
  if (!settings.s3) return openDiskStore(settings.dataDir);
  // Loaded only where it is used: the client is large.
  const { openS3Store } = await import("./files-s3.ts");
  return openS3Store(settings.s3);
}
