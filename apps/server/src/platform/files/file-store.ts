// Interface of a file storage.
import type { Readable } from "node:stream";

export interface StoredObject {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

export interface FileStore {
  /** Stores the whole stream under this key or nothing; computes size and SHA-256 on the way. */
  put(key: string, content: Readable): Promise<StoredObject>;
  /** Rejects when there is no such object. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Succeeds also when there is none. */
  remove(key: string): Promise<void>;
}

export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}
