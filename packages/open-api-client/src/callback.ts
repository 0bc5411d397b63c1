// Callbacks as Standard Webhooks 1.0 has them: whoever receives one believes it by its signature alone.
import { createHmac, timingSafeEqual } from "node:crypto";

const PREFIX = "whsec_";
const TOLERANCE_SECONDS = 300;

export interface CallbackHeaders {
  "webhook-id"?: string | null;
  "webhook-timestamp"?: string | null;
  "webhook-signature"?: string | null;
}

export type CallbackVerdict = "OK" | "HEADERS" | "TIME" | "SIGNATURE";

/** What every callback says; `data` by its `type`. */
export interface CallbackEvent {
  type: string;
  /** When it happened, ISO 8601 in UTC. */
  timestamp: string;
  apiVersion: string;
  /** Its place among the events of the tenant, or of the application whose address this is; 0 for a test. */
  tenantSeq: number;
  data: Record<string, unknown>;
}

/**
 * Looks at one callback. `secrets`: each `whsec_…` that is in force, two while one is being replaced;
 * `body`: the raw text as it came; `now` in unix seconds.
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

/** The event of a callback that is to be believed; throws where it is not. Same `webhook-id`: same event. */
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
