// Wire format of WeChat's pushes: signed, optionally encrypted, in JSON or XML.
import { createDecipheriv, createHash, timingSafeEqual } from "node:crypto";
import { readXml } from "./push-xml.rules.ts";

export interface PushKeys {
  appId: string;
  token: string;
  /** EncodingAESKey: 43 characters of base64; null in plain mode. */
  key: string | null;
}

/** Raw query of a push. */
export type PushQuery = Readonly<Record<string, unknown>>;

/** Validity of a signature: WeChat repeats an unanswered push within seconds. */
const SIGNATURE_SECONDS = 600;

/** Reason for rejecting a push, shown to the tenant only and never in the answer. */
export class PushRefusal extends Error {}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Throws unless the request is signed with the token; `sealed` is the encrypted part, if any. */
export function requireSigned(
  token: string,
  query: PushQuery,
  sealed: string | null,
  nowMs: number,
): void {
  const [timestamp, nonce] = [textOf(query.timestamp), textOf(query.nonce)];
  const given = textOf(sealed === null ? query.signature : query.msg_signature);
  const parts = [token, timestamp, nonce, ...(sealed === null ? [] : [sealed])].sort();
  const expected = createHash("sha1").update(parts.join("")).digest("hex");
  if (!isSame(given, expected)) {
    throw new PushRefusal("签名不正确：请核对小程序后台“消息推送”中的 Token 与这里填写的是否一致");
  }
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= SIGNATURE_SECONDS)) {
    throw new PushRefusal("签名的时间与本服务器相差超过 10 分钟：请核对服务器的时钟");
  }
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Fields of the verified message; in compatible mode only the encrypted half is trusted. */
export function readPush(
  { appId, token, key }: PushKeys,
  query: PushQuery,
  body: string,
  nowMs: number,
): { text: string; message: object } {
  if (key === null) {
    requireSigned(token, query, null, nowMs);
    const message = parse(body);
    if ("Encrypt" in message) {
      throw new PushRefusal("收到的是加密消息：请在这里选择与小程序后台相同的消息加密方式");
    }
    return { text: body, message };
  }
  const outer = parse(body) as { Encrypt?: unknown };
  if (typeof outer.Encrypt !== "string") {
    throw new PushRefusal("收到的是明文消息：请在小程序后台把消息加密方式改为安全模式");
  }
  requireSigned(token, query, outer.Encrypt, nowMs);
  const text = unseal(outer.Encrypt, key, appId);
  return { text, message: parse(text) };
}

function parse(text: string): object {
  try {
    const message: unknown = text.trimStart().startsWith("<") ? readXml(text) : JSON.parse(text);
    const isFields = typeof message === "object" && !Array.isArray(message);
    if (isFields && message !== null) return message;
  } catch {
    // Not valid as either of the two.
  }
  throw new PushRefusal("收到的内容不是 JSON 或 XML");
}

const WRONG_KEY =
  "消息无法解密：请核对小程序后台“消息推送”中的 EncodingAESKey 与这里填写的是否一致";
/** 16 random bytes and the 4-byte length in front of the text. */
const HEAD_BYTES = 20;
const BLOCK_BYTES = 32;

/** Layout: 16 random bytes, length, text, AppID of the recipient; padded to 32 bytes. */
function unseal(sealed: string, key43: string, appId: string): string {
  const key = Buffer.from(`${key43}=`, "base64");
  const decipher = createDecipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
  let padded: Buffer;
  try {
    padded = Buffer.concat([decipher.update(sealed, "base64"), decipher.final()]);
  } catch {
    throw new PushRefusal(WRONG_KEY);
  }
  const padding = padded.at(-1) ?? 0;
  const plain = padded.subarray(0, padded.length - padding);
  const isPadded = padding >= 1 && padding <= BLOCK_BYTES && plain.length >= HEAD_BYTES;
  const length = isPadded ? plain.readUInt32BE(16) : -1;
  if (!isPadded || HEAD_BYTES + length > plain.length) throw new PushRefusal(WRONG_KEY);
  const text = plain.subarray(HEAD_BYTES, HEAD_BYTES + length).toString("utf8");
  if (plain.subarray(HEAD_BYTES + length).toString("utf8") !== appId) {
    throw new PushRefusal("消息属于另一个小程序：请核对 AppID，以及这个推送地址配在哪个小程序");
  }
  return text;
}
