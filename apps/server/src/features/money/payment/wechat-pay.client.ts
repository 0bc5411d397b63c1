// WeChat Pay v3 client over HTTPS: signs every request with a deadline, verifies every answer.
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { shanghaiClock } from "@cabinet/contract/kit/shanghai.rules.ts";
import {
  isValid,
  type MerchantCertificates,
  type PlatformCertificate,
  readPlatformCertificate,
} from "./platform-certificates.cache.ts";
import {
  authorizationOf,
  isRecent,
  isSignedBy,
  type Merchant,
  openResource,
  type Proof,
  type SealedResource,
  type SignatureHeaders,
  signatureHeadersOf,
} from "./wechat-signature.crypto.ts";

const CERTIFICATES_PATH = "/v3/certificates";
const ANSWER_TIMEOUT_MS = 8_000;
const BILL_TIMEOUT_MS = 60_000;
const MAX_BILL_BYTES = 200 * 1024 * 1024;

/** Refusal by WeChat Pay; `isFinal`: the same request would be refused again. */
export class WechatPayRefusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(status: number, code: string, text: string) {
    super(`${text}（${code}）`);
    this.status = status;
    this.code = code;
  }

  get isFinal(): boolean {
    const mayPass = ["FREQUENCY_LIMITED", "SYSTEM_ERROR", "NOT_ENOUGH", "SIGN_ERROR"];
    // Without an error code the answer came from a proxy, not from WeChat Pay.
    const isTheirs = !this.code.startsWith("HTTP ");
    return isTheirs && this.status >= 400 && this.status < 500 && !mayPass.includes(this.code);
  }
}

/** The answer carries no valid WeChat Pay signature; its content is not trusted. */
export class UnprovenAnswer extends Error {}

/** A payment as WeChat Pay returns it, in queries and notices alike. */
export interface Trade {
  mchid: string;
  appid: string;
  out_trade_no: string;
  transaction_id?: string;
  trade_state: "SUCCESS" | "REFUND" | "NOTPAY" | "CLOSED" | "REVOKED" | "USERPAYING" | "PAYERROR";
  trade_state_desc?: string;
  success_time?: string;
  amount?: { total: number; currency: string };
}

export interface Refund {
  refund_id: string;
  out_refund_no: string;
  out_trade_no?: string;
  status: "SUCCESS" | "CLOSED" | "PROCESSING" | "ABNORMAL";
  success_time?: string;
  amount: { refund: number; total: number };
}

export interface PrepayOrder {
  outTradeNo: string;
  description: string;
  fen: number;
  expiresAt: string;
  noticeUrl: string;
  attach: string;
}

export interface RefundOrder {
  outTradeNo: string;
  outRefundNo: string;
  fen: number;
  totalFen: number;
  reason: string;
  noticeUrl: string;
}

/** Payment service that the features depend on. */
export interface PaymentService {
  /** Returns the `prepay_id` with which the payer's phone opens the payment inside WeChat. */
  prepay(order: PrepayOrder, openid: string): Promise<string>;
  /** Returns the URL of the page on which a phone's browser opens the payment (H5). */
  prepayInBrowser(order: PrepayOrder, payerAddress: string): Promise<string>;
  /** Null if WeChat knows no such order. */
  findTrade(outTradeNo: string): Promise<Trade | null>;
  closeTrade(outTradeNo: string): Promise<void>;
  refund(order: RefundOrder): Promise<Refund>;
  findRefund(outRefundNo: string): Promise<Refund | null>;
  /** Lines of a day in Asia/Shanghai; null while the bill is not available. */
  tradeBill(day: string): Promise<string | null>;
  /** Whether the APIv3 key opens data that WeChat sealed with it; null if there is none. */
  provesApiV3Key(): Promise<boolean | null>;
  /** Whether WeChat Pay signed these bytes recently: by its public key or a platform certificate. */
  prove(signed: SignatureHeaders, body: string): Promise<Proof>;
}

interface CertificateAnswer {
  data: { encrypt_certificate: SealedResource }[];
}

/** Serial of a certificate; any other names a public key. */
const HEXADECIMAL = /^[0-9A-Fa-f]{8,64}$/;

export class WechatPay implements PaymentService {
  readonly #merchant: Merchant;
  readonly #origin: string;
  readonly #certificates: MerchantCertificates;

  constructor(merchant: Merchant, origin: string, certificates: MerchantCertificates) {
    this.#merchant = merchant;
    this.#origin = origin;
    this.#certificates = certificates;
  }

  async prepay(order: PrepayOrder, openid: string): Promise<string> {
    const { prepay_id } = await this.#ask<{ prepay_id: string }>(
      "POST",
      "/v3/pay/transactions/jsapi",
      { ...this.#orderOf(order), payer: { openid } },
    );
    return prepay_id;
  }

  async prepayInBrowser(order: PrepayOrder, payerAddress: string): Promise<string> {
    const { h5_url } = await this.#ask<{ h5_url: string }>("POST", "/v3/pay/transactions/h5", {
      ...this.#orderOf(order),
      scene_info: { payer_client_ip: payerAddress, h5_info: { type: "Wap" } },
    });
    return h5_url;
  }

  #orderOf(order: PrepayOrder): object {
    const { appId, mchid } = this.#merchant;
    return {
      appid: appId,
      mchid,
      description: order.description,
      out_trade_no: order.outTradeNo,
      time_expire: shanghaiTime(order.expiresAt),
      attach: order.attach,
      notify_url: order.noticeUrl,
      amount: { total: order.fen, currency: "CNY" },
    };
  }

  findTrade(outTradeNo: string): Promise<Trade | null> {
    const { mchid } = this.#merchant;
    const path = `/v3/pay/transactions/out-trade-no/${outTradeNo}?mchid=${mchid}`;
    return orNull(this.#ask<Trade>("GET", path), "ORDER_NOT_EXIST", "ORDERNOTEXIST");
  }

  async closeTrade(outTradeNo: string): Promise<void> {
    const { mchid } = this.#merchant;
    await this.#ask("POST", `/v3/pay/transactions/out-trade-no/${outTradeNo}/close`, { mchid });
  }

  refund(order: RefundOrder): Promise<Refund> {
    return this.#ask("POST", "/v3/refund/domestic/refunds", {
      out_trade_no: order.outTradeNo,
      out_refund_no: order.outRefundNo,
      reason: order.reason.slice(0, 80),
      notify_url: order.noticeUrl,
      amount: { refund: order.fen, total: order.totalFen, currency: "CNY" },
    });
  }

  findRefund(outRefundNo: string): Promise<Refund | null> {
    const path = `/v3/refund/domestic/refunds/${outRefundNo}`;
    return orNull(this.#ask<Refund>("GET", path), "RESOURCE_NOT_EXISTS");
  }

  async tradeBill(day: string): Promise<string | null> {
    const path = `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`;
    const bill = await orNull(
      this.#ask<{ download_url: string; hash_type: string; hash_value: string }>("GET", path),
      "NO_STATEMENT_EXIST",
      "STATEMENT_CREATING",
    );
    if (!bill) return null;
    const { pathname, search } = new URL(bill.download_url);
    const packed = await this.#download(`${pathname}${search}`);
    // The file is unsigned: it is verified by the hash in the signed answer before it.
    const text = gunzipSync(packed, { maxOutputLength: MAX_BILL_BYTES });
    const hash = createHash("sha1").update(text).digest("hex");
    if (bill.hash_type !== "SHA1" || hash !== bill.hash_value.toLowerCase()) {
      throw new UnprovenAnswer("微信支付账单的校验值不符，未采用");
    }
    return text.toString("utf8");
  }

  async provesApiV3Key(): Promise<boolean | null> {
    const answer = await orNull(
      this.#ask<CertificateAnswer>("GET", CERTIFICATES_PATH),
      "RESOURCE_NOT_EXISTS",
      "NO_AUTH",
    );
    const sealed = answer?.data[0]?.encrypt_certificate;
    if (!sealed) return null;
    try {
      openResource(this.#merchant.apiV3Key, sealed);
      return true;
    } catch {
      return false;
    }
  }

  async prove(signed: SignatureHeaders, body: string): Promise<Proof> {
    const { publicKeyId, publicKey } = this.#merchant;
    if (!isRecent(signed)) return "TOO_OLD";
    let key = signed.serial === publicKeyId ? publicKey : null;
    if (!key && HEXADECIMAL.test(signed.serial)) {
      key = await this.#certificates.find(signed.serial, () => this.#askCertificates());
    }
    if (!key) return "OTHER_KEY";
    return isSignedBy(key, signed, body) ? "OK" : "WRONG";
  }

  /**
   * The first certificate of a merchant proves the answer that brings it: only WeChat Pay knows the
   * APIv3 key that sealed it.
   */
  async #askCertificates(): Promise<PlatformCertificate[]> {
    const response = await this.#send("GET", CERTIFICATES_PATH, "", ANSWER_TIMEOUT_MS);
    const text = await response.text();
    if (!response.ok) {
      const { code, message } = refusalOf(response.status, text);
      if (code === "RESOURCE_NOT_EXISTS" || code === "NO_AUTH") return [];
      // Not the refusal itself: callers would take it for the answer that waits to be proven.
      throw new UnprovenAnswer(`微信支付平台证书下载不了：${message}`);
    }
    const { apiV3Key, publicKeyId, publicKey } = this.#merchant;
    const certificates = openCertificates(apiV3Key, JSON.parse(text) as CertificateAnswer);
    const signed = signatureHeadersOf((name) => response.headers.get(name));
    const key =
      signed?.serial === publicKeyId
        ? publicKey
        : certificates.find(({ serial }) => serial === signed?.serial.toUpperCase())?.publicKey;
    if (!signed || !key || !isRecent(signed) || !isSignedBy(key, signed, text)) {
      throw new UnprovenAnswer("微信支付平台证书的签名不正确，未采用");
    }
    return certificates.filter(isValid);
  }

  async #ask<Answer>(method: "GET" | "POST", pathAndQuery: string, given?: object) {
    const body = given ? JSON.stringify(given) : "";
    const response = await this.#send(method, pathAndQuery, body, ANSWER_TIMEOUT_MS);
    const text = await response.text();
    const signed = signatureHeadersOf((name) => response.headers.get(name));
    const proof = signed && (await this.prove(signed, text));
    if (proof === "OTHER_KEY") {
      throw new UnprovenAnswer(
        `微信支付用另一把密钥（${signed?.serial}）签名，平台证书中也没有它：请核对微信支付公钥 ID 与公钥`,
      );
    }
    if (proof === "TOO_OLD")
      throw new UnprovenAnswer("微信支付应答的时间与本机相差过大，请校准时钟");
    if (proof === "WRONG" || (response.ok && proof === null)) {
      throw new UnprovenAnswer("微信支付应答的签名不正确：请核对微信支付公钥");
    }
    if (!response.ok) throw refusalOf(response.status, text);
    return (text === "" ? null : JSON.parse(text)) as Answer;
  }

  async #download(pathAndQuery: string): Promise<Buffer> {
    const response = await this.#send("GET", pathAndQuery, "", BILL_TIMEOUT_MS);
    if (!response.ok) throw refusalOf(response.status, await response.text());
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.byteLength;
      if (bytes > MAX_BILL_BYTES) throw new Error("微信支付账单过大");
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  #send(method: string, pathAndQuery: string, body: string, timeoutMs: number) {
    return fetch(`${this.#origin}${pathAndQuery}`, {
      method,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        "user-agent": "smart-storage-cabinet",
        authorization: authorizationOf(this.#merchant, method, pathAndQuery, body),
        // Names the key that signs the answer; without it a platform certificate does.
        ...(this.#merchant.publicKey && { "wechatpay-serial": this.#merchant.publicKeyId }),
      },
      ...(body && { body }),
    });
  }
}

function openCertificates(apiV3Key: string, answer: CertificateAnswer): PlatformCertificate[] {
  try {
    return answer.data.map(({ encrypt_certificate }) =>
      readPlatformCertificate(openResource(apiV3Key, encrypt_certificate)),
    );
  } catch {
    throw new UnprovenAnswer("APIv3 密钥解不开微信支付平台证书：请核对商户平台中设置的 32 位密钥");
  }
}

function refusalOf(status: number, text: string): WechatPayRefusal {
  let given: { code?: unknown; message?: unknown } = {};
  try {
    given = JSON.parse(text) as typeof given;
  } catch {
    // HTML page of a gateway in between: its status says enough.
  }
  return new WechatPayRefusal(
    status,
    String(given?.code ?? `HTTP ${status}`).slice(0, 64),
    String(given?.message ?? "微信支付没有正常应答").slice(0, 200),
  );
}

async function orNull<Answer>(answer: Promise<Answer>, ...codes: string[]): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WechatPayRefusal && codes.includes(error.code)) return null;
    throw error;
  }
}

/** `2026-11-21T12:30:05+08:00` */
function shanghaiTime(iso: string): string {
  return `${shanghaiClock(Date.parse(iso)).slice(0, 19)}+08:00`;
}
