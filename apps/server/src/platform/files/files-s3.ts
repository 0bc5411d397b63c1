// Files in an S3-compatible store: whole objects by key, uploaded in parts.
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { SettingsError } from "../env.ts";
import type { FileStore, S3Settings } from "./file-store.ts";
import { HashingStream } from "./hashing-stream.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Idle socket timeout: a reader that is gone must not keep a connection from the others. */
const IDLE_TIMEOUT_MS = 60_000;
/** Each file being read holds one socket until its reader has received it. */
const MAX_SOCKETS = 256;

/** S3 takes parts of 5 MB and more, except for the last one. */
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

  /** One request for a small file, parts for a large one: at most one part is held in memory. */
  async function putParts(key: string, parts: AsyncIterable<Buffer>): Promise<void> {
    const iterator = parts[Symbol.asyncIterator]();
    const first: IteratorResult<Buffer> = await iterator.next();
    if (first.done || first.value.length < PART_BYTES) {
      const Body = first.done ? Buffer.alloc(0) : first.value;
      await client.send(new PutObjectCommand({ ...at(key), Body, ContentLength: Body.length }));
      return;
    }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at(key)));
    try {
      const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
      for (let part: IteratorResult<Buffer> = first; !part.done; part = await iterator.next()) {
        const PartNumber = Parts.length + 1;
        const Body = part.value;
        const { ETag } = await client.send(
          new UploadPartCommand({ ...at(key), UploadId, PartNumber, Body }),
        );
        Parts.push({ ETag, PartNumber });
      }
      await client.send(
        new CompleteMultipartUploadCommand({ ...at(key), UploadId, MultipartUpload: { Parts } }),
      );
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId })).catch(() => {});
      throw error;
    }
  }

  return {
    async put(key, content) {
      const hashing = new HashingStream();
      content.on("error", (error) => hashing.destroy(error));
      await putParts(key, inParts(content.pipe(hashing)));
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

async function* inParts(content: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    held.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}
