// Client of WeChat's mini-program server API: code to openid, phone numbers, subscribe messages.
import { refusalOf, type WechatAnswer, WechatRefusal } from "./wechat-refusal.labels.ts";

/** Base URL of the WeChat API. */
export const WECHAT_URL = "https://api.weixin.qq.com";

const ANSWER_TIMEOUT_MS = 5_000;
/** A token is renewed this long before it expires. */
const TOKEN_SPARE_MS = 300_000;

export interface WechatPhone {
  /** Country calling code, 86 for the mainland. */
  countryCode: string;
  /** Number without the country code. */
  number: string;
}

export interface WechatMessage {
  openid: string;
  templateId: string;
  /** Page of the mini-program to open on a tap; empty: none. */
  page: string;
  data: Record<string, { value: string }>;
}

/** A subscribe-message template in the mini-program's account. */
export interface WechatTemplateInfo {
  templateId: string;
  title: string;
  /** Otherwise each consent permits one message. */
  isLongTerm: boolean;
  content: string;
  example: string;
}

/** Operations of a mini-program that the features depend on. All throw WechatRefusal. */
export interface MiniProgramService {
  /** Openid of the user who got this code from `wx.login`; the code works once. */
  openidOf(loginCode: string): Promise<string>;
  /** Phone of the user who got this code from `getPhoneNumber`; the code works once. */
  phoneOf(phoneCode: string, openid: string): Promise<WechatPhone>;
  /** Passes if WeChat accepts AppID and secret. */
  proveSecret(): Promise<void>;
  /** Sends to a subscriber of the template; returns WeChat's message id, if it gives one. */
  send(message: WechatMessage): Promise<string | null>;
  templates(): Promise<WechatTemplateInfo[]>;
}

interface Token {
  value: string;
  endsAt: number;
}

/** Errcodes of an invalid or expired access token. */
const TOKEN_CODES = [40001, 40014, 42001];

export class WechatMiniProgram implements MiniProgramService {
  readonly #appId: string;
  readonly #secret: string;
  readonly #origin: string;
  #token: Promise<Token> | null = null;

  constructor(program: { appId: string; secret: string }, origin: string) {
    this.#appId = program.appId;
    this.#secret = program.secret;
    this.#origin = origin;
  }

  async openidOf(loginCode: string): Promise<string> {
    const query = new URLSearchParams({
      appid: this.#appId,
      secret: this.#secret,
      js_code: loginCode,
      grant_type: "authorization_code",
    });
    // The session key in the answer is discarded: nothing here needs it.
    const { openid } = await this.#ask<{ openid?: string }>(`/sns/jscode2session?${query}`);
    return openid ?? noAnswer();
  }

  async phoneOf(phoneCode: string, openid: string): Promise<WechatPhone> {
    const path = "/wxa/business/getuserphonenumber";
    const { phone_info: info } = await this.#askByToken<PhoneAnswer>(path, {
      code: phoneCode,
      openid,
    });
    // A phone number requested by another mini-program proves nothing in this one.
    if (!info?.purePhoneNumber || info.watermark?.appid !== this.#appId) return noAnswer();
    return { countryCode: String(info.countryCode), number: info.purePhoneNumber };
  }

  async proveSecret(): Promise<void> {
    this.#token = null;
    await this.#freshToken();
  }

  async send({ openid, templateId, page, data }: WechatMessage): Promise<string | null> {
    const { msgid } = await this.#askByToken<{ msgid?: string | number }>(
      "/cgi-bin/message/subscribe/send",
      {
        ...{ touser: openid, template_id: templateId, data, lang: "zh_CN" },
        ...{ miniprogram_state: "formal", ...(page !== "" && { page }) },
      },
    );
    return msgid === undefined ? null : String(msgid);
  }

  async templates(): Promise<WechatTemplateInfo[]> {
    const { data } = await this.#askByToken<{ data?: GivenTemplate[] }>(
      "/wxaapi/newtmpl/gettemplate",
    );
    if (!Array.isArray(data)) return noAnswer();
    return data.map(({ priTmplId, title, type, content, example }) => ({
      templateId: String(priTmplId),
      title: String(title ?? ""),
      isLongTerm: type === LONG_TERM,
      content: String(content ?? ""),
      example: String(example ?? ""),
    }));
  }

  /**
   * Retries once with a new token if the current one is rejected. A refusal by the token endpoint
   * is final (not uncertain): the actual request was never sent.
   */
  async #askByToken<Given>(path: string, body?: object): Promise<Given & WechatAnswer> {
    const ask = async () => {
      const token = await this.#freshToken().catch((error: unknown) => {
        if (!(error instanceof WechatRefusal)) throw error;
        throw new WechatRefusal(error.trouble, error.message, { errcode: error.errcode });
      });
      const query = new URLSearchParams({ access_token: token.value });
      return this.#ask<Given>(`${path}?${query}`, body, TOKEN_CODES);
    };
    let answer = await ask();
    if (TOKEN_CODES.includes(answer.errcode ?? 0)) {
      this.#token = null;
      answer = await ask();
    }
    if (answer.errcode) throw refusalOf(answer);
    return answer;
  }

  /** Concurrent callers share one token request. */
  async #freshToken(): Promise<Token> {
    const held = this.#token;
    const token = held && (await held);
    if (token && token.endsAt > Date.now()) return token;
    if (this.#token && this.#token !== held) return this.#token;
    const asked = this.#askToken();
    this.#token = asked;
    asked.catch(() => {
      if (this.#token === asked) this.#token = null;
    });
    return asked;
  }

  /**
   * Uses `stable_token`: concurrent processes get the same token and do not invalidate each
   * other's.
   */
  async #askToken(): Promise<Token> {
    const given = { grant_type: "client_credential", appid: this.#appId, secret: this.#secret };
    const path = "/cgi-bin/stable_token";
    const answer = await this.#ask<{ access_token?: string; expires_in?: number }>(path, given);
    const seconds = answer.expires_in ?? 0;
    return {
      value: answer.access_token ?? noAnswer(),
      endsAt: Date.now() + seconds * 1000 - Math.min(TOKEN_SPARE_MS, seconds * 500),
    };
  }

  /**
   * Throws WeChat's refusals except those in `passing`. The path may contain secrets: no error
   * names it.
   */
  async #ask<Given>(
    path: string,
    body?: object,
    passing: number[] = [],
  ): Promise<Given & WechatAnswer> {
    let text: string;
    try {
      const response = await fetch(`${this.#origin}${path}`, {
        method: body ? "POST" : "GET",
        redirect: "error",
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        headers: { accept: "application/json", "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      throw new WechatRefusal(
        "BUSY",
        (error as Error).name === "TimeoutError"
          ? `微信没有在 ${ANSWER_TIMEOUT_MS / 1000} 秒内应答：请检查服务器能否访问外网`
          : "连接不上微信：请检查服务器能否访问外网",
        { isUncertain: !neverArrived(error) },
      );
    }
    const answer = parse<Given & WechatAnswer>(text);
    if (answer.errcode && !passing.includes(answer.errcode)) throw refusalOf(answer);
    return answer;
  }
}

/** No connection was established, so the request cannot have arrived. */
function neverArrived(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown; syscall?: unknown } };
  // A connection lost during a request has the same codes, but the syscall read or write.
  const isUnderWay = cause?.syscall === "read" || cause?.syscall === "write";
  return noConnection.has(String(cause?.code)) && !isUnderWay;
}
const noConnection = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** WeChat's `type` of a template with a permanent subscription. */
const LONG_TERM = 3;

interface GivenTemplate {
  priTmplId?: unknown;
  title?: unknown;
  type?: unknown;
  content?: unknown;
  example?: unknown;
}

interface PhoneAnswer {
  phone_info?: {
    purePhoneNumber?: string;
    countryCode?: string | number;
    watermark?: { appid?: string };
  };
}

function noAnswer(): never {
  throw new WechatRefusal("BUSY", "微信没有正常应答，请稍后再试", { isUncertain: true });
}

/** WeChat sends its JSON as text/plain. */
function parse<Given>(text: string): Given {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === "object" && answer !== null) return answer as Given;
  } catch {
    // HTML page of a gateway in between.
  }
  return noAnswer();
}
