// Aliyun text messages (Dysmsapi 2017-05-25), through its official client.
import { createRequire } from "node:module";
import { shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { smsSegments } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { smsCodeText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import type { RuntimeOptions } from "@darabonba/typescript";
import {
  ANSWER_TIMEOUT_MS,
  type CarrierAccount,
  type FindOutcome,
  type GivenSms,
  isNeverSent,
  type OutgoingSms,
  openedOnce,
  ownConnection,
  type Proof,
  type Receipt,
  type SendOutcome,
  type SmsCarrier,
  unreachable,
} from "./carrier.port.ts";

/** Error codes for "not taken, a retry may succeed". */
const PASSING = /^(Throttling|isv\.BUSINESS_LIMIT_CONTROL$)/;
/** Server-side errors that leave open whether the message was taken. */
const DOUBTFUL = /^(isp\.SYSTEM_ERROR|InternalError|ServiceUnavailable)/;
const PAGE = 50;
const MAX_PAGES = 4;
/** A message sent just before midnight may carry the carrier's next day. */
const MIDNIGHT_SPARE_MS = 120_000;

const require = createRequire(import.meta.url);

/** Loaded with the first message; through `require`, since the packages are CommonJS. */
function load() {
  return {
    sdk: require("@alicloud/dysmsapi20170525") as typeof import("@alicloud/dysmsapi20170525"),
    core: require("@alicloud/openapi-core") as typeof import("@alicloud/openapi-core"),
    runtime: require("@darabonba/typescript") as typeof import("@darabonba/typescript"),
  };
}

function openClient(account: CarrierAccount, origin: string) {
  const { sdk, core, runtime } = load();
  const { protocol, host } = new URL(origin);
  const config = new core.$OpenApiUtil.Config({
    accessKeyId: account.keyId,
    accessKeySecret: account.secret,
    endpoint: host,
    protocol: protocol.slice(0, -1),
  });
  // The client's connect timeout also ends requests already sent, so it does not prove "never sent".
  const options: RuntimeOptions = new runtime.RuntimeOptions({
    connectTimeout: ANSWER_TIMEOUT_MS,
    readTimeout: ANSWER_TIMEOUT_MS,
    autoretry: false,
    extendsParameters: new runtime.ExtendsParameters({ headers: ownConnection }),
  });
  return { sdk, client: new sdk.default(config), options };
}

export class AliyunSms implements SmsCarrier {
  readonly #open: () => ReturnType<typeof openClient>;

  constructor(account: CarrierAccount, origin: string) {
    this.#open = openedOnce(() => openClient(account, origin));
  }

  async send(message: OutgoingSms): Promise<SendOutcome> {
    const { sdk, client, options } = this.#open();
    const request = new sdk.SendSmsRequest({
      phoneNumbers: message.phone,
      signName: message.sign,
      templateCode: message.templateCode,
      templateParam: JSON.stringify(Object.fromEntries(message.variables)),
      outId: message.sendKey,
    });
    try {
      const { body } = await client.sendSmsWithOptions(request, options);
      if (body?.code === "OK") {
        return { kind: "TAKEN", carrierNo: body.bizId ?? "", segments: null };
      }
      return refusalOf(body?.code, body?.message);
    } catch (error) {
      if (isNeverSent(error)) return unreachable;
      const { code, description } = error as { code?: unknown; description?: unknown };
      return typeof code === "string" && !code.startsWith("E")
        ? refusalOf(code, description)
        : { kind: "UNKNOWN" };
    }
  }

  async find({ sendKey, carrierNo, phone, claimedAt }: GivenSms): Promise<FindOutcome> {
    const { sdk, client, options } = this.#open();
    const claimedMs = Date.parse(claimedAt);
    const days = new Set([shanghaiDay(claimedMs), shanghaiDay(claimedMs + MIDNIGHT_SPARE_MS)]);
    try {
      for (const day of days) {
        for (let page = 1; page <= MAX_PAGES; page++) {
          const request = new sdk.QuerySendDetailsRequest({
            phoneNumber: phone,
            sendDate: day.replaceAll("-", ""),
            pageSize: PAGE,
            currentPage: page,
            ...(carrierNo && { bizId: carrierNo }),
          });
          const { body } = await client.querySendDetailsWithOptions(request, options);
          if (body?.code !== "OK") return { kind: "UNREACHABLE" };
          const details = body.smsSendDetailDTOs?.smsSendDetailDTO ?? [];
          const found = details.find(({ outId }) => outId === sendKey);
          if (found) return { kind: "FOUND", receipt: receiptOf(found, carrierNo) };
          if (details.length < PAGE) break;
        }
      }
      return { kind: "NOT_FOUND" };
    } catch {
      return { kind: "UNREACHABLE" };
    }
  }

  async prove(sign: string): Promise<Proof> {
    const { sdk, client, options } = this.#open();
    try {
      for (let page = 1; page <= MAX_PAGES; page++) {
        const request = new sdk.QuerySmsSignListRequest({ pageIndex: page, pageSize: PAGE });
        const { body } = await client.querySmsSignListWithOptions(request, options);
        if (body?.code !== "OK") return refusedProof(body?.code, body?.message);
        const signs = body.smsSignList ?? [];
        const found = signs.find(({ signName }) => signName === sign);
        if (found) {
          return found.auditStatus === "AUDIT_STATE_PASS"
            ? { isOk: true, text: `密钥有效，签名“${sign}”已通过审核。` }
            : {
                isOk: false,
                text: `密钥有效，但签名“${sign}”还没有通过审核：请在阿里云短信控制台查看`,
              };
        }
        if (signs.length < PAGE) break;
      }
      return {
        isOk: false,
        text: `密钥有效，但这个账号下没有签名“${sign}”：请核对签名，或先在阿里云短信控制台申请`,
      };
    } catch (error) {
      const { code, description } = error as { code?: unknown; description?: unknown };
      if (typeof code === "string" && !code.startsWith("E")) return refusedProof(code, description);
      return { isOk: false, text: "连接不上阿里云短信：请检查服务器能否访问外网" };
    }
  }
}

function refusalOf(code: unknown, message: unknown): SendOutcome {
  const word = String(code ?? "");
  if (word === "" || DOUBTFUL.test(word)) return { kind: "UNKNOWN" };
  return { kind: "REFUSED", code: word, text: String(message ?? ""), mayRetry: PASSING.test(word) };
}

function refusedProof(code: unknown, message: unknown): Proof {
  const word = String(code ?? "");
  const text = smsCodeText(word) ?? `阿里云短信拒绝了请求：${String(message ?? "")}`;
  return { isOk: false, text: `${text}（${word}）` };
}

interface SendDetail {
  sendStatus?: number;
  errCode?: string;
  content?: string;
}

/** 1: waiting for its receipt; 2: failed; 3: delivered. */
function receiptOf(
  { sendStatus, errCode, content }: SendDetail,
  carrierNo: string | null,
): Receipt {
  const states = { 2: "UNDELIVERED", 3: "DELIVERED" } as const;
  const state = states[sendStatus as keyof typeof states] ?? "WAITING";
  return {
    state,
    carrierNo,
    segments: content ? smsSegments(content) : null,
    code: state === "UNDELIVERED" ? (errCode ?? "") : "",
    text: "",
  };
}
