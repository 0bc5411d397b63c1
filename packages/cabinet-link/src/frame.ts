// A signed payload: base64url(HMAC-SHA256(key, topic "\n" json)) "." json, over the raw bytes.
import { createHmac, timingSafeEqual } from "node:crypto";
import { MAX_FRAME_BYTES, MAX_JSON_DEPTH } from "./limits.ts";

const MAC_CHARS = 43;
const DOT = 0x2e;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Why a frame was not accepted. Only after BAD_SIGNATURE is passed is the sender known. */
export type FrameError = "TOO_LONG" | "NO_SIGNATURE" | "BAD_SIGNATURE" | "TOO_DEEP" | "NOT_JSON";

export type OpenedFrame =
  | { readonly ok: true; readonly value: unknown; readonly json: string }
  | { readonly ok: false; readonly error: FrameError };

function sign(key: Uint8Array, topic: string, json: Uint8Array): Buffer {
  const mac = createHmac("sha256", key).update(`${topic}\n`).update(json);
  return Buffer.from(mac.digest("base64url"), "latin1");
}

/** Nesting counted before parsing, so that a hostile payload never reaches the parser's stack. */
function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/**
 * The bytes to publish on `topic`.
 * Throws `RangeError` if they are longer or deeper than the link allows: a bug of the caller.
 */
export function sealFrame(key: Uint8Array, topic: string, payload: object): Buffer {
  const json = Buffer.from(JSON.stringify(payload));
  const length = MAC_CHARS + 1 + json.length;
  if (length > MAX_FRAME_BYTES) {
    throw new RangeError(`a frame of ${length} bytes is over ${MAX_FRAME_BYTES}`);
  }
  if (isTooDeep(json)) throw new RangeError(`a payload is over ${MAX_JSON_DEPTH} levels deep`);
  return Buffer.concat([sign(key, topic, json), Buffer.of(DOT), json]);
}

/** Verifies and parses what arrived on `topic`. Never throws, whatever the bytes are. */
export function openFrame(key: Uint8Array, topic: string, bytes: Uint8Array): OpenedFrame {
  if (bytes.length > MAX_FRAME_BYTES) return { ok: false, error: "TOO_LONG" };
  if (bytes[MAC_CHARS] !== DOT) return { ok: false, error: "NO_SIGNATURE" };
  const json = bytes.subarray(MAC_CHARS + 1);
  // The text is compared, not the decoded bytes: base64url leaves two spare bits at its end.
  if (!timingSafeEqual(bytes.subarray(0, MAC_CHARS), sign(key, topic, json))) {
    return { ok: false, error: "BAD_SIGNATURE" };
  }
  if (isTooDeep(json)) return { ok: false, error: "TOO_DEEP" };
  try {
    const text = strictUtf8.decode(json);
    return { ok: true, value: JSON.parse(text), json: text };
  } catch {
    return { ok: false, error: "NOT_JSON" };
  }
}
