// Stand-in for the SMS carriers; it rejects every request that is not signed with the account's
// secret, and gives up connections after one request.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export const carrierAccount = {
  keyId: "LTAI5tQw8sVd3kZxN4mR7yHb",
  secret: "q7Zr2LxWm9Tb4VnKc8JpYdSg1HfEuA",
  appId: "1400823456",
  sign: "顺达快柜",
};

export const smsChannelDraft = {
  carrier: "ALIYUN",
  keyId: carrierAccount.keyId,
  secret: carrierAccount.secret,
  sign: carrierAccount.sign,
  appId: "",
  isOn: true,
} as const;

export interface TakenSms {
  carrier: "ALIYUN" | "TENCENT";
  sendKey: string;
  carrierNo: string;
  phone: string;
  sign: string;
  template: string;
  /** As received: by name (Aliyun) or in order (Tencent Cloud). */
  variables: Record<string, string> | string[];
  atMs: number;
  receipt: { isDelivered: boolean; code: string } | null;
}

interface Answer {
  status: number;
  body: object;
}

type Fields = Record<string, unknown>;

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();
const SKEW_MS = 15 * 60_000;

export class SmsCarrierStandIn {
  readonly taken: TakenSms[] = [];
  /** Actions of all requests in order, such as `SendSms`. */
  readonly asked: string[] = [];
  /** Requests that were rejected as unsigned or wrongly signed. */
  readonly unbelieved: { action: string; reason: string }[] = [];
  /** Refusal codes for the next sends, one each. */
  readonly refusals: string[] = [];
  /** Reaction after it accepts a message: answers, never answers, or resets the connection. */
  afterTaking: "ANSWER" | "SILENCE" | "RESET" = "ANSWER";
  /** Answers 502 with an HTML page, as a broken proxy does. */
  isBroken = false;
  signs: Record<string, boolean> = { [carrierAccount.sign]: true };
  /** Called with each accepted message, before the answer. */
  onTaken = (_sms: TakenSms): void => {};
  origin = "";
  readonly #server: Server;
  readonly #nonces = new Set<string>();
  readonly #used = new WeakSet<Socket>();

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Sets the delivery receipt of a message. */
  settle(sendKey: string, receipt: TakenSms["receipt"]): void {
    for (const sms of this.taken) if (sms.sendKey === sendKey) sms.receipt = receipt;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // As a carrier, or a gateway on the way, that has just closed the idle connection.
    if (this.#used.has(request.socket)) {
      request.socket.destroy();
      return;
    }
    this.#used.add(request.socket);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const isAliyun = request.headers["x-acs-action"] !== undefined;
    const action = String(request.headers[isAliyun ? "x-acs-action" : "x-tc-action"]);
    this.asked.push(action);
    const problem = isAliyun
      ? this.#acsProblem(request, body)
      : tc3Problem(request, body.toString("utf8"));
    if (problem !== null) this.unbelieved.push({ action, reason: problem });
    if (this.isBroken) {
      response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad Gateway</html>");
      return;
    }
    const fields = isAliyun
      ? fieldsOf(request, body)
      : (JSON.parse(body.toString("utf8")) as Fields);
    const before = this.taken.length;
    const answer = isAliyun
      ? this.#aliyun(action, fields, problem)
      : this.#tencent(action, fields, problem);
    if (this.taken.length > before && this.afterTaking !== "ANSWER") {
      if (this.afterTaking === "RESET") request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  }

  #take(sms: Omit<TakenSms, "carrierNo" | "atMs" | "receipt">): TakenSms {
    const taken = {
      ...sms,
      carrierNo: `${Date.now()}^${randomBytes(4).readUInt32BE()}`,
      atMs: Date.now(),
      receipt: null,
    };
    this.taken.push(taken);
    this.onTaken(taken);
    return taken;
  }

  #aliyun(action: string, fields: Fields, problem: string | null): Answer {
    const text = (name: string) => String(fields[name] ?? "");
    if (problem !== null) {
      const body = {
        Code: problem,
        Message: "Specified signature is not matched.",
        RequestId: "1",
      };
      return { status: 400, body };
    }
    const ok = (rest: object) => ({ status: 200, body: { Code: "OK", Message: "OK", ...rest } });
    if (action === "SendSms") {
      const code =
        this.refusals.shift() ?? this.#wrongIn(text("SignName"), "isv.SMS_SIGNATURE_ILLEGAL");
      if (code) return { status: 200, body: { Code: code, Message: "不可发送", RequestId: "1" } };
      const { carrierNo } = this.#take({
        carrier: "ALIYUN",
        sendKey: text("OutId"),
        phone: text("PhoneNumbers"),
        sign: text("SignName"),
        template: text("TemplateCode"),
        variables: JSON.parse(text("TemplateParam")) as Record<string, string>,
      });
      return ok({ BizId: carrierNo });
    }
    if (action === "QuerySendDetails") {
      const found = this.taken.filter(
        ({ phone, carrierNo, atMs }) =>
          phone === text("PhoneNumber") &&
          shanghaiDay(atMs) === text("SendDate") &&
          (!fields.BizId || carrierNo === text("BizId")),
      );
      const SmsSendDetailDTO = found.map(({ sendKey, receipt, template }) => ({
        OutId: sendKey,
        TemplateCode: template,
        SendStatus: receipt === null ? 1 : receipt.isDelivered ? 3 : 2,
        ErrCode: receipt?.code ?? "",
        Content: "【顺达快柜】您的物品已存入",
      }));
      return ok({ TotalCount: String(found.length), SmsSendDetailDTOs: { SmsSendDetailDTO } });
    }
    const SmsSignList = Object.entries(this.signs).map(([SignName, isGood]) => ({
      SignName,
      AuditStatus: isGood ? "AUDIT_STATE_PASS" : "AUDIT_STATE_INIT",
    }));
    return ok({ SmsSignList, TotalCount: SmsSignList.length });
  }

  #tencent(action: string, fields: Fields, problem: string | null): Answer {
    const say = (Response: object) => ({
      status: 200,
      body: { Response: { ...Response, RequestId: "r" } },
    });
    if (problem !== null) return say({ Error: { Code: problem, Message: "签名错误" } });
    if (action === "SendSms") {
      const sign = String(fields.SignName);
      const code =
        this.refusals.shift() ??
        this.#wrongIn(sign, "FailedOperation.SignatureIncorrectOrUnapproved");
      const status = (rest: object) => say({ SendStatusSet: [{ PhoneNumber: "", ...rest }] });
      if (code) return status({ SerialNo: "", Code: code, Message: "不可发送", Fee: 0 });
      const { carrierNo } = this.#take({
        carrier: "TENCENT",
        sendKey: String(fields.SessionContext),
        phone: String(fields.PhoneNumberSet).replace("+86", ""),
        sign,
        template: String(fields.TemplateId),
        variables: fields.TemplateParamSet as string[],
      });
      return status({ SerialNo: carrierNo, Code: "Ok", Message: "send success", Fee: 1 });
    }
    if (action === "PullSmsSendStatusByPhoneNumber") {
      const PullSmsSendStatusSet = this.taken.flatMap(
        ({ phone, receipt, sendKey, carrierNo, atMs }) =>
          `+86${phone}` === fields.PhoneNumber &&
          receipt &&
          atMs / 1_000 >= Number(fields.BeginTime)
            ? [
                {
                  PhoneNumber: `+86${phone}`,
                  SerialNo: carrierNo,
                  SessionContext: sendKey,
                  ReportStatus: receipt.isDelivered ? "SUCCESS" : "FAIL",
                  Description: receipt.code,
                },
              ]
            : [],
      );
      return say({ PullSmsSendStatusSet });
    }
    if (action === "SmsPackagesStatistics") {
      if (fields.SmsSdkAppId !== carrierAccount.appId) {
        return say({ Error: { Code: "UnauthorizedOperation.SmsSdkAppIdVerifyFail", Message: "" } });
      }
      const PackageExpiredTime = Math.floor(Date.now() / 1_000) + 86_400;
      const one = { PackageAmount: 1_000, CurrentUsage: 120, PackageExpiredTime };
      return say({ SmsPackagesStatisticsSet: [one] });
    }
    const DescribeSignListStatusSet = Object.entries(this.signs).map(([SignName, isGood]) => ({
      SignName,
      StatusCode: isGood ? 0 : 1,
      ReviewReply: isGood ? "" : "审核中",
    }));
    return say({ DescribeSignListStatusSet });
  }

  #wrongIn(sign: string, code: string): string | undefined {
    return this.signs[sign] ? undefined : code;
  }

  /** Checks ACS3-HMAC-SHA256 as Aliyun describes it. */
  #acsProblem(request: IncomingMessage, body: Buffer): string | null {
    const { headers } = request;
    const given =
      /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]+)$/.exec(
        headers.authorization ?? "",
      );
    if (!given) return "IncompleteSignature";
    const [, keyId, names = "", signature = ""] = given;
    if (keyId !== carrierAccount.keyId) return "InvalidAccessKeyId.NotFound";
    const nonce = String(headers["x-acs-signature-nonce"]);
    if (this.#nonces.has(nonce)) return "SignatureNonceUsed";
    this.#nonces.add(nonce);
    if (Math.abs(Date.parse(String(headers["x-acs-date"])) - Date.now()) > SKEW_MS) {
      return "InvalidTimeStamp.Expired";
    }
    const digest = sha256(body);
    const mustBeSigned = [
      "host",
      "x-acs-action",
      "x-acs-version",
      "x-acs-content-sha256",
      "x-acs-date",
    ];
    const signed = names.split(";");
    if (!mustBeSigned.every((name) => signed.includes(name))) return "IncompleteSignature";
    if (headers["x-acs-content-sha256"] !== digest) return "SignatureDoesNotMatch";
    const url = new URL(request.url ?? "/", "http://carrier");
    const canonical = [
      request.method,
      url.pathname,
      [...url.searchParams]
        .map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`)
        .sort()
        .join("&"),
      ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
      "",
      names,
      digest,
    ].join("\n");
    const right = hmac(carrierAccount.secret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`);
    return isSame(right, signature) ? null : "SignatureDoesNotMatch";
  }
}

/**
 * Checks TC3-HMAC-SHA256 as Tencent Cloud describes it. Its client takes the service from the
 * host's first label and signs the host without a port, which the real host does not have.
 */
function tc3Problem({ headers, method }: IncomingMessage, body: string): string | null {
  const given =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([\d-]+)\/([^/]+)\/tc3_request, SignedHeaders=(\S+), Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? "",
    );
  if (!given) return "AuthFailure.SignatureFailure";
  const [, keyId, day = "", service = "", names = "", signature = ""] = given;
  if (keyId !== carrierAccount.keyId) return "AuthFailure.SecretIdNotFound";
  const seconds = Number(headers["x-tc-timestamp"]);
  if (Math.abs(seconds * 1_000 - Date.now()) > SKEW_MS) return "AuthFailure.SignatureExpire";
  if (new Date(seconds * 1_000).toISOString().slice(0, 10) !== day)
    return "AuthFailure.SignatureFailure";
  const canonical = [
    method,
    "/",
    "",
    ...names
      .split(";")
      .map((name) => `${name}:${String(headers[name]).trim().toLowerCase()}`)
      .map((line) => line.replace(/^(host:.*?):\d+$/, "$1")),
    "",
    names,
    sha256(body),
  ].join("\n");
  const text = `TC3-HMAC-SHA256\n${seconds}\n${day}/${service}/tc3_request\n${sha256(canonical)}`;
  const key = [day, service, "tc3_request"].reduce<string | Buffer>(
    (by, part) => hmac(by, part),
    `TC3${carrierAccount.secret}`,
  );
  return isSame(hmac(key, text), signature) ? null : "AuthFailure.SignatureFailure";
}

function isSame(right: Buffer, hex: string): boolean {
  const given = Buffer.from(hex, "hex");
  return given.length === right.length && timingSafeEqual(right, given);
}

const rfc3986 = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function fieldsOf(request: IncomingMessage, body: Buffer): Fields {
  const query = new URL(request.url ?? "/", "http://carrier").searchParams;
  return Object.fromEntries([...query, ...new URLSearchParams(body.toString("utf8"))]);
}

const shanghaiDay = (ms: number) =>
  new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll("-", "");
