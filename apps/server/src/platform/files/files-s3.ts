// Files in an S3-compatible store: whole objects by key, uploaded in parts.
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { SettingsError } from "../env.ts";
import type { FileStore, S3Settings } from "./file-store.ts";
import { HashingStream } from "./hashing-stream.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Idle socket timeout: a reader that is gone must not keep a connection from the others. */
const IDLE_TIMEOUT_MS = 60_000;
/** Each file being read holds one socket until its reader has received it. */
const MAX_SOCKETS = 256;

/** S3 takes parts of 5 MB and more, except for the last one; a file within one is one request. */
const PART_BYTES = 8 * 1024 * 1024;

export async function openS3Store(settings: S3Settings): Promise<FileStore> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = settings;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    // S3-compatible stores do not know the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  });
  const at = (key: string) => ({ Bucket: bucket, Key: `files/${key}` });
  await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((error: Error) => {
    throw new SettingsError(
      `S3 存储不可用（${error.name}）：请检查 S3_ENDPOINT、S3_BUCKET 和密钥是否正确、存储桶是否存在`,
    );
  });

  return {
    async put(key, content) {
      const hashing = new HashingStream();
      content.on("error", (error) => hashing.destroy(error));
      const params = { ...at(key), Body: content.pipe(hashing) };
      // One part at a time: each is held in memory until the store has taken it.
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: 1 }).done();
      return hashing.outcome();
    },
    async read(key, range) {
      const { Body } = await client.send(
        new GetObjectCommand({
          ...at(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      );
      if (!(Body instanceof Readable)) throw new Error("the store sent no stream");
      return Body;
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
  };
}
