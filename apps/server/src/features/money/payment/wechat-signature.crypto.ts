// WeChat Pay v3 signatures: requests by the merchant's key, answers by WeChat's; decrypts sealed
// resources.
import {
  createDecipheriv,
  createSign,
  createVerify,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/**
 * Merchant identity: the key that signs requests and, unless platform certificates alone are used,
 * the WeChat Pay public key that verifies answers.
 */
export interface Merchant {
  appId: string;
  mchid: string;
  certificateSerial: string;
  privateKey: KeyObject;
  apiV3Key: string;
  /** Empty without a public key. */
  publicKeyId: string;
  publicKey: KeyObject | null;
}

const SCHEME = "WECHATPAY2-SHA256-RSA2048";
/** Older or newer timestamps indicate a replay or a wrong clock. */
const MAX_AGE_SECONDS = 300;
const TAG_BYTES = 16;

const nowSeconds = () => Math.floor(Date.now() / 1000);

function sign(key: KeyObject, lines: readonly string[]): string {
  return createSign("RSA-SHA256")
    .update(lines.map((line) => `${line}\n`).join(""))
    .sign(key, "base64");
}

/** `authorization` header of a request; `pathAndQuery` exactly as sent. */
export function authorizationOf(
  merchant: Merchant,
  method: string,
  pathAndQuery: string,
  body: string,
): string {
  const [timestamp, nonce] = [String(nowSeconds()), randomBytes(16).toString("hex")];
  const signature = sign(merchant.privateKey, [method, pathAndQuery, timestamp, nonce, body]);
  const fields = {
    mchid: merchant.mchid,
    nonce_str: nonce,
    signature,
    timestamp,
    serial_no: merchant.certificateSerial,
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return `${SCHEME} ${text.join(",")}`;
}

/** Signature headers of an answer or a notice. */
export interface SignatureHeaders {
  serial: string;
  timestamp: string;
  nonce: string;
  signature: string;
}

/** Null if one of them is missing. */
export function signatureHeadersOf(
  header: (name: string) => string | null | undefined,
): SignatureHeaders | null {
  const [serial, timestamp, nonce, signature] = [
    "wechatpay-serial",
    "wechatpay-timestamp",
    "wechatpay-nonce",
    "wechatpay-signature",
  ].map((name) => header(name));
  return serial && timestamp && nonce && signature ? { serial, timestamp, nonce, signature } : null;
}

export type Proof = "OK" | "OTHER_KEY" | "TOO_OLD" | "WRONG";

export function isRecent({ timestamp }: SignatureHeaders): boolean {
  return Math.abs(nowSeconds() - Number(timestamp)) <= MAX_AGE_SECONDS;
}

/** Whether the holder of this key signed these bytes. */
export function isSignedBy(key: KeyObject, headers: SignatureHeaders, body: string): boolean {
  return createVerify("RSA-SHA256")
    .update(`${headers.timestamp}\n${headers.nonce}\n${body}\n`)
    .verify(key, headers.signature, "base64");
}

/** Resource that WeChat Pay encrypts with the APIv3 key (AES-256-GCM). */
export interface SealedResource {
  ciphertext: string;
  nonce: string;
  associated_data?: string;
}

/** Throws on another key or altered text. */
export function openResource(apiV3Key: string, resource: SealedResource): string {
  const sealed = Buffer.from(resource.ciphertext, "base64");
  const body = sealed.subarray(0, -TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(apiV3Key), resource.nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  decipher.setAAD(Buffer.from(resource.associated_data ?? ""));
  return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
}

/** Parameters for `wx.requestPayment` in a mini-program. */
export interface PayParams {
  appId: string;
  timeStamp: string;
  nonceStr: string;
  package: string;
  signType: "RSA";
  paySign: string;
}

export function payParamsOf(merchant: Merchant, prepayId: string): PayParams {
  const [timeStamp, nonceStr] = [String(nowSeconds()), randomBytes(16).toString("hex")];
  const prepay = `prepay_id=${prepayId}`;
  const paySign = sign(merchant.privateKey, [merchant.appId, timeStamp, nonceStr, prepay]);
  return { appId: merchant.appId, timeStamp, nonceStr, package: prepay, signType: "RSA", paySign };
}
