// Stand-in for WeChat Pay: rejects requests that the merchant did not sign, and signs its own.
import {
  createCipheriv,
  createHash,
  createSign,
  createVerify,
  randomBytes,
  randomUUID,
} from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Identity } from "./certificate.ts";
import { merchantIdentity, paymentDraft, wechatIdentity } from "./payments.ts";

interface Order {
  outTradeNo: string;
  fen: number;
  attach: string;
  noticeUrl: string;
  state: "NOTPAY" | "SUCCESS" | "CLOSED";
  transactionNo: string | null;
  paidAt: string | null;
}

interface RefundRow {
  outRefundNo: string;
  outTradeNo: string;
  refundNo: string;
  fen: number;
  totalFen: number;
  attach: string;
  status: "SUCCESS" | "PROCESSING" | "CLOSED" | "ABNORMAL";
}

interface Answer {
  status: number;
  body: object | null;
}

const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  body: { code, message },
});

/** Notification from WeChat Pay, ready to be posted to the server. */
export interface SignedNotice {
  body: string;
  headers: Record<string, string>;
}

export class WechatStandIn {
  readonly orders = new Map<string, Order>();
  readonly refunds = new Map<string, RefundRow>();
  /** Method and path of all requests in order, such as `POST /v3/pay/transactions/jsapi`. */
  readonly asked: string[] = [];
  /** Requests with a missing or wrong signature. */
  readonly unsigned: string[] = [];
  /** State of new refunds. */
  refundStatus: RefundRow["status"] = "PROCESSING";
  /** Null: the bill does not exist yet. */
  bill: string | null = null;
  /** Answers this to the next request instead. */
  nextRefusal: Answer | null = null;
  /** Runs just before an order is closed. */
  beforeClose = () => {};
  /** Never answers. */
  isSilent = false;
  /** Answers once this is settled. */
  pause: Promise<void> = Promise.resolve();
  /** Signs with the merchant's key instead of its own. */
  isForged = false;
  /**
   * Platform certificates that a merchant can fetch; the last one signs what the public key does
   * not: notices while `signsBy` says so, and answers to requests that name no public key.
   */
  certificates: Identity[] = [];
  signsBy: "PUBLIC_KEY" | "CERTIFICATE" = "PUBLIC_KEY";
  origin = "";
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  async open(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Marks the order as paid; returns the notification that WeChat would send. */
  pay(outTradeNo: string, fen?: number): SignedNotice {
    const order = this.#order(outTradeNo);
    order.state = "SUCCESS";
    order.transactionNo ??= `42000${Date.now()}${randomBytes(4).readUInt32BE()}`;
    order.paidAt ??= new Date().toISOString();
    return this.notice("TRANSACTION.SUCCESS", {
      ...this.#tradeOf(order),
      ...(fen !== undefined && { amount: { total: fen, currency: "CNY" } }),
    });
  }

  /** Ends a refund; returns the notification that WeChat would send. */
  endRefund(outRefundNo: string, status: RefundRow["status"]): SignedNotice {
    const refund = this.refunds.get(outRefundNo);
    if (!refund) throw new Error(`no refund ${outRefundNo}`);
    refund.status = status;
    const { status: _, ...rest } = refundAnswer(refund);
    return this.notice(`REFUND.${status}`, {
      ...rest,
      refund_status: status,
      mchid: paymentDraft.mchid,
    });
  }

  notice(eventType: string, content: object, key: string = paymentDraft.apiV3Key): SignedNotice {
    const body = JSON.stringify({
      id: randomUUID(),
      create_time: new Date().toISOString(),
      resource_type: "encrypt-resource",
      event_type: eventType,
      summary: "通知",
      resource: {
        original_type: "transaction",
        ...seal(key, JSON.stringify(content), "transaction"),
      },
    });
    return { body, headers: { "content-type": "application/json", ...this.sign(body) } };
  }

  /** The four signature headers of a body; `at` may be in the past. */
  sign(
    body: string,
    at: number = Date.now(),
    certificate = this.signsBy === "CERTIFICATE" ? this.certificates.at(-1) : undefined,
  ): Record<string, string> {
    const [timestamp, nonce] = [String(Math.floor(at / 1000)), randomBytes(16).toString("hex")];
    const { privateKey } = this.isForged ? merchantIdentity : (certificate ?? wechatIdentity);
    return {
      "wechatpay-serial": certificate?.serial ?? paymentDraft.publicKeyId,
      "wechatpay-timestamp": timestamp,
      "wechatpay-nonce": nonce,
      "wechatpay-signature": createSign("RSA-SHA256")
        .update(`${timestamp}\n${nonce}\n${body}\n`)
        .sign(privateKey, "base64"),
    };
  }

  #order(outTradeNo: string): Order {
    const order = this.orders.get(outTradeNo);
    if (!order) throw new Error(`no order ${outTradeNo}`);
    return order;
  }

  #tradeOf(order: Order): object {
    const { outTradeNo, state, transactionNo, paidAt, fen, attach } = order;
    const { mchid, appId } = paymentDraft;
    return {
      ...{ mchid, appid: appId, out_trade_no: outTradeNo, trade_state: state, attach },
      trade_state_desc: state === "CLOSED" ? "订单已关闭" : "",
      ...(transactionNo && { transaction_id: transactionNo, success_time: paidAt }),
      amount: { total: fen, currency: "CNY" },
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const part of request) body += String(part);
    const { method = "", url = "" } = request;
    this.asked.push(`${method} ${url.split("?")[0]}`);
    await this.pause;
    if (this.isSilent) return;
    if (!isSigned(request, body)) {
      this.unsigned.push(`${method} ${url}`);
      this.#say(request, response, refusal(401, "SIGN_ERROR", "错误的签名，验签失败"));
      return;
    }
    if (url.startsWith("/bill/")) {
      response.writeHead(200).end(gzipSync(this.bill ?? ""));
      return;
    }
    const answer = this.nextRefusal ?? this.#answer(method, url, body);
    this.nextRefusal = null;
    this.#say(request, response, answer);
  }

  #say(request: IncomingMessage, response: ServerResponse, { status, body }: Answer): void {
    const text = body ? JSON.stringify(body) : "";
    const namesKey = request.headers["wechatpay-serial"] !== undefined;
    const signature = namesKey
      ? this.sign(text)
      : this.sign(text, Date.now(), this.certificates.at(-1));
    response.writeHead(status, { "content-type": "application/json", ...signature }).end(text);
  }

  #answer(method: string, url: string, body: string): Answer {
    const given = body ? (JSON.parse(body) as Record<string, never>) : {};
    const [path = ""] = url.split("?");
    const last = path.split("/").at(-1) ?? "";
    if (path === "/v3/pay/transactions/jsapi") return this.#prepay(given);
    if (path === "/v3/pay/transactions/h5") return this.#prepay(given);
    if (path.endsWith("/close")) return this.#closeOrder(path.split("/").at(-2) ?? "");
    if (path.startsWith("/v3/pay/transactions/out-trade-no/")) {
      const order = this.orders.get(last);
      return order
        ? { status: 200, body: this.#tradeOf(order) }
        : refusal(404, "ORDER_NOT_EXIST", "订单不存在");
    }
    if (path === "/v3/refund/domestic/refunds") return this.#refund(given);
    if (path.startsWith("/v3/refund/domestic/refunds/")) {
      const refund = this.refunds.get(last);
      return refund
        ? { status: 200, body: refundAnswer(refund) }
        : refusal(404, "RESOURCE_NOT_EXISTS", "退款单不存在");
    }
    if (path === "/v3/bill/tradebill") return this.#bill();
    if (path === "/v3/certificates") return this.#listCertificates();
    return refusal(404, "RESOURCE_NOT_EXISTS", `${method} ${path}`);
  }

  #listCertificates(): Answer {
    if (this.certificates.length === 0) {
      return refusal(404, "RESOURCE_NOT_EXISTS", "无可用的平台证书");
    }
    const data = this.certificates.map(({ serial, certificate }) => ({
      serial_no: serial,
      encrypt_certificate: seal(paymentDraft.apiV3Key, certificate, "certificate"),
    }));
    return { status: 200, body: { data } };
  }

  #prepay(given: {
    out_trade_no?: string;
    attach?: string;
    notify_url?: string;
    amount?: { total: number };
    payer?: { openid: string };
    scene_info?: { payer_client_ip: string };
  }): Answer {
    const payer = given.payer?.openid ?? given.scene_info?.payer_client_ip;
    if (!given.out_trade_no || !given.amount?.total || !payer) {
      return refusal(400, "PARAM_ERROR", "参数错误");
    }
    this.orders.set(given.out_trade_no, {
      outTradeNo: given.out_trade_no,
      fen: given.amount.total,
      attach: given.attach ?? "",
      noticeUrl: given.notify_url ?? "",
      state: "NOTPAY",
      transactionNo: null,
      paidAt: null,
    });
    const id = `wx${randomBytes(16).toString("hex")}`;
    const page = `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=${id}`;
    return { status: 200, body: given.payer ? { prepay_id: id } : { h5_url: page } };
  }

  #closeOrder(outTradeNo: string): Answer {
    this.beforeClose();
    const order = this.orders.get(outTradeNo);
    if (order?.state === "SUCCESS") return refusal(400, "ORDERPAID", "该订单已支付");
    if (order) order.state = "CLOSED";
    return { status: 204, body: null };
  }

  #refund(given: {
    out_trade_no?: string;
    out_refund_no?: string;
    amount?: { refund: number; total: number };
  }): Answer {
    const order = this.orders.get(given.out_trade_no ?? "");
    const { out_refund_no: outRefundNo = "", amount } = given;
    if (order?.state !== "SUCCESS") return refusal(404, "RESOURCE_NOT_EXISTS", "订单不存在");
    if (!amount || amount.total !== order.fen || amount.refund > order.fen) {
      return refusal(400, "INVALID_REQUEST", "订单金额或退款金额与之前请求不一致");
    }
    // Idempotent: the same `out_refund_no` is always the same refund.
    const known = this.refunds.get(outRefundNo) ?? {
      outRefundNo,
      outTradeNo: order.outTradeNo,
      refundNo: `50300${Date.now()}${randomBytes(3).readUIntBE(0, 3)}`,
      fen: amount.refund,
      totalFen: amount.total,
      attach: order.attach,
      status: this.refundStatus,
    };
    this.refunds.set(outRefundNo, known);
    return { status: 200, body: refundAnswer(known) };
  }

  #bill(): Answer {
    if (this.bill === null) return refusal(400, "NO_STATEMENT_EXIST", "账单文件不存在");
    return {
      status: 200,
      body: {
        hash_type: "SHA1",
        hash_value: createHash("sha1").update(this.bill).digest("hex"),
        download_url: `${this.origin}/bill/download?token=x`,
      },
    };
  }

  /** Writes a bill of all payments and refunds, as WeChat's bill of the day lists them. */
  writeBill(): void {
    const trades = [...this.orders.values()].filter(({ state }) => state === "SUCCESS");
    this.bill = billOf([
      ...trades.map((order) =>
        billLine({ ...order, transactionNo: order.transactionNo ?? "", state: "SUCCESS" }),
      ),
      ...[...this.refunds.values()]
        .filter(({ status }) => status !== "CLOSED")
        .map((refund) =>
          billLine({
            outTradeNo: refund.outTradeNo,
            transactionNo: "",
            state: "REFUND",
            fen: 0,
            attach: refund.attach,
            refund,
          }),
        ),
    ]);
  }
}

/** Encrypts as WeChat Pay does, with the merchant's APIv3 key. */
function seal(key: string, text: string, purpose: string) {
  const nonce = randomBytes(6).toString("hex");
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
  const sealed = [cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return {
    algorithm: "AEAD_AES_256_GCM",
    associated_data: purpose,
    nonce,
    ciphertext: Buffer.concat(sealed).toString("base64"),
  };
}

function refundAnswer(refund: RefundRow) {
  return {
    refund_id: refund.refundNo,
    out_refund_no: refund.outRefundNo,
    out_trade_no: refund.outTradeNo,
    status: refund.status,
    ...(refund.status === "SUCCESS" && { success_time: new Date().toISOString() }),
    amount: { refund: refund.fen, total: refund.totalFen },
  };
}

/**
 * Checks the merchant's signature over the received bytes, and that it is at most 5 minutes old.
 */
function isSigned(request: IncomingMessage, body: string): boolean {
  const given = /^WECHATPAY2-SHA256-RSA2048 (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const fields = Object.fromEntries(
    (given ?? "").split(",").map((field) => /^(\w+)="(.*)"$/.exec(field)?.slice(1, 3) ?? ["", ""]),
  ) as Record<string, string>;
  const { mchid, nonce_str: nonce, signature = "", timestamp, serial_no: serial } = fields;
  const isKnown = mchid === paymentDraft.mchid && serial === merchantIdentity.serial;
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  const message = `${request.method}\n${request.url}\n${timestamp}\n${nonce}\n${body}\n`;
  const isRight = createVerify("RSA-SHA256")
    .update(message)
    .verify(merchantIdentity.publicKey, signature, "base64");
  return isKnown && isFresh && isRight;
}

const BILL_TITLES =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";

const yuan = (fen: number) => (fen / 100).toFixed(2);

export interface BillLine {
  outTradeNo: string;
  transactionNo: string;
  state: "SUCCESS" | "REFUND";
  fen: number;
  attach: string;
  refund?: { outRefundNo: string; refundNo: string; fen: number; status?: string };
}

export function billLine({ outTradeNo, transactionNo, state, fen, attach, refund }: BillLine) {
  const cells = [
    ...["2026-11-21 12:00:00", paymentDraft.appId, paymentDraft.mchid, "0", ""],
    ...[transactionNo, outTradeNo, "openid", "JSAPI", state, "OTHERS", "CNY", yuan(fen), "0.00"],
    ...[refund?.refundNo ?? "0", refund?.outRefundNo ?? "0", yuan(refund?.fen ?? 0), "0.00"],
    ...[
      refund ? "ORIGINAL" : "",
      refund ? (refund.status ?? "SUCCESS") : "",
      "钱包充值，含逗号",
      attach,
    ],
    ...["0.00000", "0.60%", yuan(fen), yuan(refund?.fen ?? 0), ""],
  ];
  return cells.map((cell) => `\`${cell}`).join(",");
}

export function billOf(lines: readonly string[]): string {
  const sums =
    "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";
  return `\uFEFF${[BILL_TITLES, ...lines, sums, "`0,`0.00,`0.00,`0.00,`0.00000,`0.00,`0.00"].join("\r\n")}\r\n`;
}
