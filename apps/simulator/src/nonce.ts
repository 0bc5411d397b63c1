// Fetches the single-use nonce that authenticates a connection or a download.
import { NONCE_PATTERN } from "@cabinet/link";
import { ConnectError } from "./transport.ts";

const TIMEOUT_MS = 10_000;
const nonceRegExp = new RegExp(NONCE_PATTERN);

/** `server` is the origin of the API. Rejects with `ConnectError`. */
export async function fetchNonce(server: string): Promise<string> {
  const url = new URL("/device/v1/challenge", server);
  let reply: Response;
  try {
    reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new ConnectError("UNREACHABLE", `连不上服务器 ${url.origin}`);
  }
  const body: unknown = await reply.json().catch(() => undefined);
  const data = body && typeof body === "object" && "data" in body ? body.data : undefined;
  const nonce = data && typeof data === "object" && "nonce" in data ? data.nonce : undefined;
  if (reply.ok && typeof nonce === "string" && nonceRegExp.test(nonce)) return nonce;
  const kind = reply.status === 429 || reply.status >= 500 ? "UNREACHABLE" : "REFUSED";
  throw new ConnectError(kind, `${url.href} 没有给出连接用的随机数（HTTP ${reply.status}）`);
}
