// File download over HTTP: a single-use proof that the cabinet holds its secret, for one file.
import { createHmac, timingSafeEqual } from "node:crypto";
import { parseConnectPassword } from "./connect.ts";
import { type CabinetKeys, isCabinetId } from "./keys.ts";

/** Download path of a file, below the server's origin. */
export function filePath(fileId: string): string {
  return `/device/v1/file/${encodeURIComponent(fileId)}`;
}

/** Parts of `Cabinet v1.{cabinetId}.{kid}.{nonce}.{mac}`; well formed, not yet verified. */
export interface FileProof {
  readonly cabinetId: string;
  readonly kid: string;
  readonly nonce: string;
  readonly mac: string;
}

function fileMac(
  { cabinetId, kid, nonce }: Omit<FileProof, "mac">,
  fileId: string,
  key: Uint8Array,
) {
  return createHmac("sha256", key)
    .update(`c1-file\n${cabinetId}\n${kid}\n${nonce}\n${fileId}`)
    .digest("base64url");
}

/**
 * Builds the Authorization header of one request; needs a new `nonce` of `GET
 * /device/v1/challenge`.
 */
export function makeFileAuthorization(from: {
  readonly cabinetId: string;
  readonly kid: string;
  readonly nonce: string;
  readonly fileId: string;
  readonly keys: Pick<CabinetKeys, "connect">;
}): string {
  const { cabinetId, kid, nonce } = from;
  return `Cabinet v1.${cabinetId}.${kid}.${nonce}.${fileMac(from, from.fileId, from.keys.connect)}`;
}

/** Parses the header; `undefined` if it is malformed. Never throws. */
export function parseFileAuthorization(header: string): FileProof | undefined {
  const [, cabinetId = "", rest = ""] = /^Cabinet v1\.([A-Z0-9]+)\.(.+)$/.exec(header) ?? [];
  const parsed = parseConnectPassword(`v1.${rest}`);
  return parsed && isCabinetId(cabinetId) ? { cabinetId, ...parsed } : undefined;
}

/**
 * True if the proof was made for this file with this key; the caller must then consume the nonce.
 */
export function verifyFileProof(
  fileId: string,
  proof: FileProof,
  keys: Pick<CabinetKeys, "connect">,
): boolean {
  const expected = Buffer.from(fileMac(proof, fileId, keys.connect));
  const given = Buffer.from(proof.mac);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
