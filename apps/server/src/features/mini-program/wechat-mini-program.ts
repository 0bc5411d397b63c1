// The server side of WeChat's mini-programs: who a code stands for, messages to whoever subscribed to them.

/** Where WeChat answers mini-programs. */
export const WECHAT_URL = "https://api.weixin.qq.com";

const ANSWER_TIMEOUT_MS = 5_000;
/** A token is renewed this long before it ends. */
const TOKEN_SPARE_MS = 300_000;

/**
 * CODE: what the person's phone gave us is wrong, over or used. RISKY: WeChat keeps this person out.
 * SETTING: appid, secret or rights, which the tenant must mend. BUSY: asking later may help. PERSON:
 * they let us send them nothing. TEMPLATE: what we fill in, or where it leads, which the tenant must mend.
 */
export type WechatTrouble = "CODE" | "RISKY" | "SETTING" | "BUSY" | "PERSON" | "TEMPLATE";

/** WeChat did not give what was asked for; the message says why, for the person who can mend it. */
export class WechatRefusal extends Error {
  readonly trouble: WechatTrouble;
  /** WeChat's own number of it; null where it said nothing. */
  readonly errcode: number | null;
  /** It may have done what was asked for all the same. */
  readonly isUncertain: boolean;

  constructor(
    trouble: WechatTrouble,
    text: string,
    {
      errcode = null,
      isUncertain = false,
    }: { errcode?: number | null; isUncertain?: boolean } = {},
  ) {
    super(text);
    this.trouble = trouble;
    this.errcode = errcode;
    this.isUncertain = isUncertain;
  }
}

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

interface Answer {
  errcode?: number;
  errmsg?: string;
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
  async #askByToken<Given>(path: string, body?: object): Promise<Given & Answer> {
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
  async #ask<Given>(path: string, body?: object, passing: number[] = []): Promise<Given & Answer> {
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
    const answer = parse<Given & Answer>(text);
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

const refusals: Record<number, [WechatTrouble, string]> = {
  [-1]: ["BUSY", "微信系统繁忙，请稍后再试"],
  40001: ["SETTING", "AppSecret 不正确或已被重置：请在小程序后台重新生成后填入"],
  40003: ["PERSON", "用户已不在这个小程序中：等其再次登录小程序后才能发送"],
  40013: ["SETTING", "AppID 不正确：请核对小程序后台“开发管理 › 开发设置”中的 AppID"],
  40029: ["CODE", "凭证无效或已过期"],
  40037: [
    "TEMPLATE",
    "模板 ID 不存在或已删除：请在小程序后台“订阅消息 › 我的模板”中核对，或从微信重新选择模板",
  ],
  40125: ["SETTING", "AppSecret 不正确或已被重置：请在小程序后台重新生成后填入"],
  40163: ["CODE", "凭证已被使用"],
  40226: ["RISKY", "微信判定该用户有风险，不允许登录"],
  40243: ["SETTING", "AppSecret 已被冻结：请在小程序后台“开发管理 › 开发设置”中解冻"],
  41030: ["TEMPLATE", "点开的小程序页面不存在：请核对页面路径，且小程序须已发布该页面"],
  43101: ["PERSON", "用户没有订阅或已退订：等其在小程序中再次同意后才能发送"],
  43107: ["SETTING", "小程序的订阅消息能力被微信封禁：请在小程序后台查看处罚通知"],
  43108: ["BUSY", "同一用户的消息发送太密，请稍后再试"],
  45009: ["BUSY", "今日调用微信接口的次数已用完：请在小程序后台查看额度"],
  45011: ["BUSY", "调用微信接口太频繁，请稍后再试"],
  45168: ["TEMPLATE", "消息中有微信不允许的词语：请检查固定文字，以及门店、柜机的名称"],
  47003: ["TEMPLATE", "关键词与微信的模板不一致：请从微信重新选择模板，并核对各关键词的名称"],
  48001: [
    "SETTING",
    "小程序没有这项接口的权限：获取手机号须完成微信认证并开通手机号快速验证，订阅消息须在“订阅消息”中开通",
  ],
  89503: ["SETTING", "这台服务器的调用须由小程序管理员在微信中确认后才放行"],
};

function refusalOf({ errcode = 0, errmsg = "" }: Answer): WechatRefusal {
  if (errcode === 40164) {
    const ip = /invalid ip ([0-9.]{7,15})/.exec(errmsg)?.[1] ?? "";
    const text = `本服务器的公网 IP ${ip} 不在白名单：请在小程序后台“开发管理 › 开发设置 › IP 白名单”中加入`;
    return new WechatRefusal("SETTING", `${text}（40164）`, { errcode });
  }
  const [trouble, text] = refusals[errcode] ?? ["BUSY", "微信拒绝了请求"];
  const detail = errcode === 47003 ? wrongArgument(errmsg) : "";
  return new WechatRefusal(trouble, `${text}${detail}（${errcode}）`, { errcode });
}

/** Which keyword WeChat means: `argument invalid! data.thing1.value is empty`. */
function wrongArgument(errmsg: string): string {
  const name = /data\.(\w+)\.value/.exec(errmsg)?.[1];
  return name ? `，不对的是 ${name}` : "";
}
