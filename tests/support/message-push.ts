// WeChat's side of 消息推送: signs, seals and posts as its documents say, without using our decoder.
import { createCipheriv, createHash, randomBytes } from "node:crypto";

export const pushDraft = {
  pushMode: "SAFE",
  pushToken: "Tk7Vq2nRx9LmPw4s",
  pushKey: "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
} as const;

/** Example published by WeChat, with its signature. */
export const publishedPush = {
  keys: {
    appId: "wx5823bf96d3bd56c7",
    token: "QDG6eK",
    key: "jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C",
  },
  query: {
    msg_signature: "477715d11cdb4164915debcba66cb864d751f3e6",
    timestamp: "1409659813",
    nonce: "1372623149",
  },
  atMs: 1_409_659_813_000,
  body: `<xml><ToUserName><![CDATA[wx5823bf96d3bd56c7]]></ToUserName><Encrypt><![CDATA[RypEvHKD8QQKFhvQ6QleEB4J58tiPdvo+rtK1I9qca6aM/wvqnLSV5zEPeusUiX5L5X/0lWfrf0QADHHhGd3QczcdCUpj911L3vg3W/sYYvuJTs3TUUkSUXxaccAS0qhxchrRYt66wiSpGLYL42aM6A8dTT+6k4aSknmPj48kzJs8qLjvd4Xgpue06DOdnLxAUHzM6+kDZ+HMZfJYuR+LtwGc2hgf5gsijff0ekUNXZiqATP7PF5mZxZ3Izoun1s4zG4LUMnvw2r+KqCKIw+3IQH03v+BCA9nMELNqbSf6tiWSrXJB3LAVGUcallcrw8V2t9EL4EhzJWrQUax5wLVMNS0+rUPA3k22Ncx4XXZS9o0MBH27Bo6BpNelZpS+/uh9KsNlY6bHCmJU9p8g7m3fVKn28H3KDYA5Pl/T8Z1ptDAVe0lXdQ2YoyyH2uyPIGHBZZIs2pDBS8R07+qN+E7Q==]]></Encrypt><AgentID><![CDATA[218]]></AgentID></xml>`,
};

const signed = (...parts: string[]) =>
  createHash("sha1").update(parts.sort().join("")).digest("hex");

export interface PushOptions {
  token?: string;
  key?: string | null;
  appId: string;
  /** Unix seconds. */
  at?: number;
  /** COMPATIBLE mode: posts the open message beside the sealed one. */
  isCompatible?: boolean;
}

/** Query and body of a push of this text, as XML or JSON like the text itself. */
export function pushOf(text: string, options: PushOptions) {
  const { token = pushDraft.pushToken, key = pushDraft.pushKey, appId } = options;
  const timestamp = String(options.at ?? Math.floor(Date.now() / 1000));
  const nonce = randomBytes(5).toString("hex");
  const query = { signature: signed(token, timestamp, nonce), timestamp, nonce };
  if (key === null) return { query, body: text };
  const sealed = seal(text, key, appId);
  const isXml = text.startsWith("<");
  const open = options.isCompatible ? text : isXml ? "<xml></xml>" : "{}";
  const body = isXml
    ? open.replace("</xml>", `<Encrypt><![CDATA[${sealed}]]></Encrypt></xml>`)
    : JSON.stringify({ ...JSON.parse(open), ToUserName: "gh_0123456789ab", Encrypt: sealed });
  const msg_signature = signed(token, timestamp, nonce, sealed);
  return { query: { ...query, openid: "o-any", encrypt_type: "aes", msg_signature }, body };
}

function seal(text: string, key43: string, appId: string): string {
  const key = Buffer.from(`${key43}=`, "base64");
  const content = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const plain = Buffer.concat([randomBytes(16), length, content, Buffer.from(appId)]);
  const padding = 32 - (plain.length % 32);
  const cipher = createCipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
  const padded = Buffer.concat([plain, Buffer.alloc(padding, padding)]);
  return Buffer.concat([cipher.update(padded), cipher.final()]).toString("base64");
}
