// Webhooks (Standard Webhooks 1.0): verifies the signature, the only proof of the sender.
import { createHmac, timingSafeEqual } from "node:crypto";

const PREFIX = "whsec_";
const TOLERANCE_SECONDS = 300;

export interface CallbackHeaders {
  "webhook-id"?: string | null;
  "webhook-timestamp"?: string | null;
  "webhook-signature"?: string | null;
}

export type CallbackVerdict = "OK" | "HEADERS" | "TIME" | "SIGNATURE";

/** Body of every webhook; the shape of `data` depends on `type`. */
export interface CallbackEvent {
  type: string;
  /** Time of the event, ISO 8601 in UTC. */
  timestamp: string;
  apiVersion: string;
  /**
   * Sequence number among the events of the tenant, or of the application that owns the endpoint;
   * 0 for a test.
   */
  tenantSeq: number;
  data: Record<string, unknown>;
}

/**
 * Verifies one webhook. `secrets`: every `whsec_…` in force, two during a rotation;
 * `body`: the raw text as received; `now` in unix seconds.
 */
export function checkCallback(
  secrets: readonly string[],
  headers: CallbackHeaders,
  body: string,
  now: number,
): CallbackVerdict {
  const id = headers["webhook-id"];
  const time = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (!id || !time || !signatures || !/^\d{1,12}$/.test(time)) return "HEADERS";
  if (Math.abs(now - Number(time)) > TOLERANCE_SECONDS) return "TIME";
  const given = signatures
    .split(" ")
    .filter((part) => part.startsWith("v1,"))
    .map((part) => Buffer.from(part.slice("v1,".length), "base64"));
  const isGood = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(PREFIX, ""), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest();
    return given.some((sig) => sig.length === expected.length && timingSafeEqual(sig, expected));
  });
  return isGood ? "OK" : "SIGNATURE";
}

/** Returns the event of a valid webhook; throws otherwise. Deduplicate events by `webhook-id`. */
export function openCallback(
  secrets: readonly string[],
  headers: CallbackHeaders,
  body: string,
  now = Math.floor(Date.now() / 1000),
): CallbackEvent {
  const verdict = checkCallback(secrets, headers, body, now);
  if (verdict !== "OK") throw new Error(`callback not believed: ${verdict}`);
  return JSON.parse(body);
}
