// Downloads a file as a cabinet: authenticated, resumed by range, verified, then renamed in place.
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import {
  type CabinetKeys,
  type DownloadReason,
  filePath,
  makeFileAuthorization,
  type SimulatedCabinet,
} from "@cabinet/link";
import type { FaultPlan } from "./faults.ts";
import { fetchNonce } from "./nonce.ts";
import type { World } from "./world.ts";

const TIMEOUT_MS = 5 * 60_000;
/** Pause after every chunk when `slowFile` applies. */
const SLOW_MS = 250;

/** Download function and folder of one cabinet. */
export interface Downloads {
  /** Folder of this cabinet's files. */
  readonly folder: string;
  fetch(
    file: { readonly fileId: string; readonly size: number; readonly sha256: string },
    target: string,
    signal: AbortSignal,
  ): Promise<DownloadOutcome>;
}

/** `folder` is the parent of all cabinets' folders. */
export function openDownloads(
  from: Pick<DownloadRequest, "server" | "identity" | "keys" | "faults" | "world"> & {
    readonly folder: string;
  },
): Downloads {
  return {
    folder: path.join(from.folder, from.identity.cabinetId),
    fetch: (file, target, signal) => downloadFile({ ...from, ...file, target, signal }),
  };
}

export interface DownloadRequest {
  /** Origin of the server. */
  readonly server: string;
  readonly identity: Pick<SimulatedCabinet, "cabinetId" | "kid">;
  readonly keys: CabinetKeys;
  readonly fileId: string;
  /** Size in bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Final path; the partial download is `target` + `.part`. */
  readonly target: string;
  readonly faults: Pick<FaultPlan, "badFile" | "slowFile">;
  readonly world: World;
  readonly signal: AbortSignal;
}

export type DownloadOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: DownloadReason };

const failed = (reason: DownloadReason): DownloadOutcome => ({ ok: false, reason });

/** Never throws; a partial download is kept and resumed by the next attempt. */
async function downloadFile(request: DownloadRequest): Promise<DownloadOutcome> {
  const part = `${request.target}.part`;
  try {
    await mkdir(path.dirname(part), { recursive: true, mode: 0o700 });
    const hash = createHash("sha256");
    const have = await takeUp(part, request.size, hash);
    if (have < request.size) {
      const outcome = await fetchRest(request, part, have, hash);
      if (!outcome.ok) return outcome;
    }
    if (hash.digest("hex") !== request.sha256) {
      await rm(part, { force: true });
      return failed("BAD_CHECKSUM");
    }
    await rename(part, request.target);
    return { ok: true };
  } catch {
    return failed("STORAGE");
  }
}

/** True if the file exists with this size and SHA-256. */
export async function isFileRight(target: string, size: number, sha256: string): Promise<boolean> {
  const found = await stat(target).catch(() => undefined);
  if (found?.size !== size) return false;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(target)) hash.update(chunk);
  return hash.digest("hex") === sha256;
}

/** Bytes of an earlier partial download, fed into `hash`; deletes an oversized one. */
async function takeUp(part: string, size: number, hash: Hash): Promise<number> {
  const found = await stat(part).catch(() => undefined);
  if (!found || found.size > size) {
    await rm(part, { force: true });
    return 0;
  }
  for await (const chunk of createReadStream(part)) hash.update(chunk);
  return found.size;
}

async function fetchRest(
  request: DownloadRequest,
  part: string,
  have: number,
  hash: Hash,
): Promise<DownloadOutcome> {
  const response = await ask(request, have);
  if (!response) return failed("NETWORK");
  if (response.status === 404) return failed("NOT_FOUND");
  if (response.status === 401 || response.status === 403) return failed("REFUSED");
  if (response.status !== (have > 0 ? 206 : 200) || !response.body) return failed("NETWORK");
  const handle = await open(part, "a", 0o600);
  let size = have;
  try {
    size = await take(request, response.body, handle, have, hash);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return failed("NETWORK");
  } finally {
    await handle.sync();
    await handle.close();
  }
  if (size === request.size) return { ok: true };
  if (size < request.size) return failed("NETWORK");
  await rm(part, { force: true });
  return failed("BAD_SIZE");
}

class StorageError extends Error {}

async function take(
  { faults, world, size: wanted }: DownloadRequest,
  body: ReadableStream<Uint8Array>,
  handle: FileHandle,
  have: number,
  hash: Hash,
): Promise<number> {
  const isSlow = world.random() < faults.slowFile;
  let isSpoilt = world.random() < faults.badFile;
  let size = have;
  for await (const chunk of body) {
    if (isSpoilt && chunk.length > 0) {
      chunk[0] = (chunk[0] ?? 0) ^ 0xff;
      isSpoilt = false;
    }
    hash.update(chunk);
    await handle.write(chunk).catch((error) => {
      throw new StorageError(String(error));
    });
    size += chunk.length;
    if (size > wanted) return size;
    if (isSlow) await new Promise<void>((resolve) => void world.after(SLOW_MS, resolve));
  }
  return size;
}

/** Requests the file from byte `have` on; undefined if the request fails. */
async function ask(request: DownloadRequest, have: number): Promise<Response | undefined> {
  const { server, identity, keys, fileId, signal } = request;
  const { cabinetId, kid } = identity;
  try {
    const nonce = await fetchNonce(server);
    return await fetch(new URL(filePath(fileId), server), {
      headers: {
        authorization: makeFileAuthorization({ cabinetId, kid, nonce, fileId, keys }),
        ...(have > 0 && { range: `bytes=${have}-` }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch {
    return undefined;
  }
}
