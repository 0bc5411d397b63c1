// Receives a multipart body: its fields, and one file that is checked and stored while it streams in.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import {
  type FileKind,
  fileKindRules,
  maxBytesOf,
  type ReceivedFile,
  sizeText,
} from "@cabinet/contract/kit/upload.rules.ts";
import type { FastifyRequest } from "fastify";
import type { Database } from "../db/db.ts";
import type { PlaceUser } from "../db/places.ts";
import { Refusal, refuse } from "../errors.ts";
import { SNIFF_BYTES, sniffKind } from "../files/file-kind.rules.ts";
import type { FileStore } from "../files/file-store.ts";
import { cleanImage } from "../files/image.ts";
import { Mp4Scanner } from "../files/mp4.rules.ts";
import { deleteStoredObject, insertStoredObject } from "../files/stored-object.sql.ts";
import { type ClamdAddress, requireClean } from "../files/virus-scan.ts";
import type { Log } from "../log.ts";

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 4096;
const MAX_NAME = 120;

export interface UploadParts {
  database: Database;
  files: FileStore;
  /** Absent: uploads are not scanned. */
  clamd?: ClamdAddress | null;
  caller: PlaceUser;
}

/** Reads the whole body; the file is stored when it returns, and removed again when it throws. */
export async function receiveUpload(
  request: FastifyRequest,
  spec: EndpointSpec,
  parts: UploadParts,
): Promise<{ fields: Record<string, string>; file: ReceivedFile }> {
  const kinds = spec.uploads ?? [];
  const fields: Record<string, string> = {};
  let file: ReceivedFile | undefined;
  try {
    const limits = {
      fileSize: maxBytesOf(kinds) + 1,
      files: 1,
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      parts: MAX_FIELDS + 1,
    };
    for await (const part of request.parts({ limits })) {
      if (part.type === "field") fields[part.fieldname] = decoded(String(part.value));
      else file = await receiveFile(part.file, part.filename, kinds, parts);
    }
    // As stored: clamd never waits for a slow sender.
    if (file && parts.clamd) {
      await requireClean(await parts.files.read(file.key), parts.clamd, request.log as Log);
    }
  } catch (error) {
    if (file) await discardUpload(file, parts);
    // Drains the rest of the body, so that the sender receives the answer.
    request.raw.unpipe();
    request.raw.resume();
    throw asRefusal(error);
  }
  return { fields, file: file ?? refuse("FILE_MISSING") };
}

/** Removes the file of a failed call; if that fails too, the sweep removes it. */
export async function discardUpload(file: ReceivedFile, { files, database }: UploadParts) {
  await files
    .remove(file.key)
    .then(() => database.transaction("platform", (db) => deleteStoredObject(db, file.key)))
    .catch(() => {});
}

/** The parser replaces bytes that are not UTF-8. */
function decoded(text: string): string {
  return text.includes("\ufffd") ? refuse("TEXT_NOT_UTF8") : text;
}

function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { code, message } = error as Error & { code?: string };
  if (code === "ECONNRESET" || /premature|unexpected end|aborted/i.test(message)) {
    return new Refusal("FILE_INCOMPLETE");
  }
  if (code === "FST_REQ_FILE_TOO_LARGE") return new Refusal("BODY_TOO_LARGE");
  return code?.startsWith("FST_") ? new Refusal("VALIDATION") : error;
}

async function receiveFile(
  content: Readable & { truncated?: boolean },
  name: string,
  kinds: readonly FileKind[],
  parts: UploadParts,
): Promise<ReceivedFile> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head = await readHead(chunks);
  if (head.length === 0) refuse("FILE_MISSING");
  const found = sniffKind(head) ?? { kind: "FIRMWARE", mediaType: "application/octet-stream" };
  const kind = kinds.includes(found.kind as FileKind) ? (found.kind as FileKind) : firmware(kinds);
  const mediaType = kind === "FIRMWARE" ? "application/octet-stream" : found.mediaType;
  const body = bounded(head, chunks, kind);
  const plain = { kind, name: plainName(name), width: null, height: null, durationMs: null };
  if (kind === "IMAGE") {
    const bytes: Buffer[] = [];
    for await (const chunk of body) bytes.push(chunk);
    const image = await cleanImage(Buffer.concat(bytes), parts.caller);
    if (typeof image === "string") refuse("FILE_BROKEN", { why: image });
    const stored = await store(Readable.from([image.bytes]), parts);
    const { width, height } = image;
    return { ...plain, ...stored, mediaType: image.mediaType, width, height };
  }
  if (kind === "FIRMWARE")
    return { ...plain, ...(await store(Readable.from(body), parts)), mediaType };
  const scanner = new Mp4Scanner();
  const stored = await store(Readable.from(scanned(body, scanner)), parts);
  const outcome = scanner.end();
  if (outcome.ok) return { ...plain, ...stored, mediaType, ...outcome.facts };
  await discardUpload({ ...plain, ...stored, mediaType }, parts);
  return refuse("FILE_BROKEN", { why: outcome.why });
}

/** Where firmware is accepted, any content is: only its signature identifies it. */
function firmware(kinds: readonly FileKind[]): FileKind {
  if (kinds.includes("FIRMWARE")) return "FIRMWARE";
  const accepted = kinds.map(
    (kind) => `${fileKindRules[kind].title}（${fileKindRules[kind].formats}）`,
  );
  return refuse("FILE_KIND", { accepted: accepted.join("或") });
}

async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < SNIFF_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* bounded(head: Buffer, chunks: AsyncIterator<Buffer>, kind: FileKind) {
  const { maxBytes, title } = fileKindRules[kind];
  let size = 0;
  for (let chunk = head; ; ) {
    size += chunk.length;
    if (size > maxBytes) refuse("FILE_TOO_LARGE", { kind: title, max: sizeText(maxBytes) });
    yield chunk;
    const next = await chunks.next();
    if (next.done) return;
    chunk = next.value;
  }
}

async function* scanned(body: AsyncIterable<Buffer>, scanner: Mp4Scanner) {
  for await (const chunk of body) {
    scanner.push(chunk);
    yield chunk;
  }
}

/** The key is in the database before the object is in the storage (docs/decisions/0013). */
async function store(content: Readable, { database, files }: UploadParts) {
  const key = randomUUID();
  await database.transaction("platform", (db) => insertStoredObject(db, key));
  return { key, ...(await files.put(key, content)) };
}

/** Display name: the last part of a path, without control characters. */
function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = last.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e]/g, "").trim();
  return plain.slice(-MAX_NAME) || "未命名";
}
