// A signed payload: base64url(HMAC-SHA256(key, topic "\n" json)) "." json, over the raw bytes.
import { createHmac, timingSafeEqual } from "node:crypto";
import { MAX_FRAME_BYTES, MAX_JSON_DEPTH } from "./limits.ts";

const MAC_CHARS = 43;
const DOT = 0x2e;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reason for refusing a frame. The sender is authenticated only in errors after BAD_SIGNATURE. */
export type FrameError = "TOO_LONG" | "NO_SIGNATURE" | "BAD_SIGNATURE" | "TOO_DEEP" | "NOT_JSON";

export type OpenedFrame =
  | { readonly ok: true; readonly value: unknown; readonly json: string }
  | { readonly ok: false; readonly error: FrameError };

function sign(key: Uint8Array, topic: string, json: Uint8Array): Buffer {
  const mac = createHmac("sha256", key).update(`${topic}\n`).update(json);
  return Buffer.from(mac.digest("base64url"), "latin1");
}

/** Measures nesting before parsing, so that a hostile payload cannot exhaust the parser's stack. */
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
 * Signs a payload; returns the bytes to publish on `topic`. Throws `RangeError` if they exceed the
 * link's limits of length or depth: a bug of the caller.
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

/** Verifies and parses the bytes received on `topic`. Never throws for any bytes. */
export function openFrame(key: Uint8Array, topic: string, bytes: Uint8Array): OpenedFrame {
  if (bytes.length > MAX_FRAME_BYTES) return { ok: false, error: "TOO_LONG" };
  if (bytes[MAC_CHARS] !== DOT) return { ok: false, error: "NO_SIGNATURE" };
  const json = bytes.subarray(MAC_CHARS + 1);
  // Compares the text, not the decoded bytes: base64url has two unused bits at its end.
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
