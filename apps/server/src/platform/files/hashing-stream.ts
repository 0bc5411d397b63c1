// Counts and hashes bytes while they stream through.
import { createHash } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";
import type { StoredObject } from "./file-store.ts";

export class HashingStream extends Transform {
  readonly #hash = createHash("sha256");
  #sizeBytes = 0;

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.length;
    done(null, chunk);
  }

  /** Call once, after the last byte. */
  outcome(): StoredObject {
    return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest("hex") };
  }
}
