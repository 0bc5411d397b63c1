// The server side of WeChat's mini-programs: who a code stands for, messages to whoever subscribed to them.
import { refusalOf, type WechatAnswer, WechatRefusal } from "./wechat-refusal.ts";

/** Where WeChat answers mini-programs. */
export const WECHAT_URL = "https://api.weixin.qq.com";

const ANSWER_TIMEOUT_MS = 5_000;
/** A token is renewed this long before it ends. */
const TOKEN_SPARE_MS = 300_000;

export interface WechatPhone {
  /** 86 for the mainland. */
  countryCode: string;
  /** Without it. */
  number: string;
}

export interface WechatMessage {
  openid: string;
  templateId: string;
  /** Of the mini-program; empty: a tap opens nothing. */
  page: string;
  data: Record<string, { value: string }>;
}

/** A template of subscribe messages, as the mini-program's account has it. */
export interface WechatTemplateInfo {
  templateId: string;
  title: string;
  /** Otherwise each consent is good for one message. */
  isLongTerm: boolean;
  content: string;
  example: string;
}

/** What the house wants of a mini-program's makers. Throws WechatRefusal. */
export interface MiniProgramService {
  /** Of whoever got this code from `wx.login`; it works once. */
  openidOf(loginCode: string): Promise<string>;
  /** Of whoever let `getPhoneNumber` give them this code; it works once. */
  phoneOf(phoneCode: string, openid: string): Promise<WechatPhone>;
  /** Whether WeChat takes appid and secret. */
  proveSecret(): Promise<void>;
  /** To whoever subscribed to the template; gives WeChat's number of the message, where it says one. */
  send(message: WechatMessage): Promise<string | null>;
  templates(): Promise<WechatTemplateInfo[]>;
}

interface Token {
  value: string;
  endsAt: number;
}

/** The token is what is wrong: it was replaced or is over. */
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
    // The session key that comes with it is nobody's business here.
    const { openid } = await this.#ask<{ openid?: string }>(`/sns/jscode2session?${query}`);
    return openid ?? noAnswer();
  }

  async phoneOf(phoneCode: string, openid: string): Promise<WechatPhone> {
    const path = "/wxa/business/getuserphonenumber";
    const { phone_info: info } = await this.#askByToken<PhoneAnswer>(path, {
      code: phoneCode,
      openid,
    });
    // A phone that was asked for by another mini-program proves nothing in this one.
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

  /** With a new token where the one at hand is over; what the token's own call refuses has certainly done nothing. */
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

  /** Whoever asks meanwhile waits for the same. */
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

  /** The stable one: processes that ask side by side get the same, and none voids another's. */
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

  /** Refuses what WeChat refuses, but for `passing`. The path may hold secrets, so no error names it. */
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

/** There was no connection that a request could have gone through. */
function neverArrived(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown; syscall?: unknown } };
  // A network that goes away under a request says so too.
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

/** WeChat's `type` of a template that is subscribed to once and for all. */
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

/** It calls its JSON plain text. */
function parse<Given>(text: string): Given {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === "object" && answer !== null) return answer as Given;
  } catch {
    // A gateway's page on the way.
  }
  return noAnswer();
}
