// Verifier of requests and webhooks written from /doc/sdk alone, without the client package or the
// server's code.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export interface ReceivedRequest {
  method: string;
  host: string;
  /** Path and query exactly as received. */
  target: string;
  contentType: string;
  idempotencyKey: string;
  body: Buffer;
  authorization: string;
}

export type RequestVerdict = "OK" | "SYNTAX" | "TIME" | "KEY" | "SIGNATURE";

/** 接入文档 “请求头”: five items, in this order, separated by commas only. */
const WRITTEN =
  /^CAB1-HMAC-SHA256 app=(app_[a-z0-9]{16}),kid=([a-z0-9-]{4,32}),ts=([1-9]\d{9}),nonce=([A-Za-z0-9_-]{22,64}),sig=([A-Za-z0-9+/]{43}=)$/;
const TOLERANCE_SECONDS = 300;

/** `secretOf` returns the text of an application's key, or null if it has no such key. */
export function judgeRequest(
  request: ReceivedRequest,
  secretOf: (app: string, kid: string) => string | null,
  now: number,
): RequestVerdict {
  const [, app = "", kid = "", ts = "", nonce = "", sig = ""] =
    WRITTEN.exec(request.authorization) ?? [];
  const given = Buffer.from(sig, "base64");
  if (sig === "" || given.toString("base64") !== sig) return "SYNTAX";
  if (Math.abs(now - Number(ts)) > TOLERANCE_SECONDS) return "TIME";
  const secret = secretOf(app, kid);
  if (secret === null) return "KEY";
  const expected = createHmac("sha256", Buffer.from(secret, "utf8"))
    .update(textToSign(request, ts, nonce))
    .digest();
  return timingSafeEqual(expected, given) ? "OK" : "SIGNATURE";
}

/** 接入文档 “待签字符串”: nine lines, each with a newline. */
export function textToSign(request: ReceivedRequest, ts: string, nonce: string): string {
  return [
    "CAB1-HMAC-SHA256",
    request.method,
    request.host.toLowerCase(),
    request.target,
    request.contentType,
    ts,
    nonce,
    request.idempotencyKey,
    createHash("sha256").update(request.body).digest("hex"),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

export type CallbackVerdict = "OK" | "HEADERS" | "TIME" | "SIGNATURE";

/** 接入文档 “回调 · 验证”. */
export function judgeCallback(
  secrets: readonly string[],
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
  now: number,
): CallbackVerdict {
  const { "webhook-id": id, "webhook-timestamp": ts, "webhook-signature": signatures } = headers;
  if (!id || !ts || !signatures) return "HEADERS";
  if (Math.abs(now - Number(ts)) > TOLERANCE_SECONDS) return "TIME";
  const content = Buffer.concat([Buffer.from(`${id}.${ts}.`), body]);
  const expected = secrets.map((secret) =>
    createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
      .update(content)
      .digest("base64"),
  );
  const given = signatures.split(" ").flatMap((each) => {
    const [version, sig] = each.split(",");
    return version === "v1" && sig ? [sig] : [];
  });
  const isSame = (one: string, other: string) =>
    one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
  return expected.some((one) => given.some((other) => isSame(one, other))) ? "OK" : "SIGNATURE";
}
