// Opens the file storage: the local disk by default, an S3-compatible store if configured.
import type { FileStore, S3Settings } from "./file-store.ts";
import { openDiskStore } from "./files-disk.ts";

/** Throws when the store cannot be used. */
export async function openFileStore(settings: {
  dataDir: string;
  s3: S3Settings | null;
}): Promise<FileStore> {
  if (!settings.s3) return openDiskStore(settings.dataDir);
  // Imported only when used: the client is large.
  const { openS3Store } = await import("./files-s3.ts");
  return openS3Store(settings.s3);
}
