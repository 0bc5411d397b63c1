// The server side of WeChat's mini-programs: who a code of `wx.login` or of `getPhoneNumber` stands for.

/** Where WeChat answers mini-programs. */
export const WECHAT_URL = "https://api.weixin.qq.com";

const ANSWER_TIMEOUT_MS = 5_000;
/** A token is renewed this long before it ends. */
const TOKEN_SPARE_MS = 300_000;

/**
 * CODE: what the person's phone gave us is wrong, over or used. RISKY: WeChat keeps this person out.
 * SETTING: appid, secret or rights, which the tenant must mend. BUSY: asking later may help.
 */
export type WechatTrouble = "CODE" | "RISKY" | "SETTING" | "BUSY";

/** WeChat did not give what was asked for; the message says why, for the person who can mend it. */
export class WechatRefusal extends Error {
  readonly trouble: WechatTrouble;

  constructor(trouble: WechatTrouble, text: string) {
    super(text);
    this.trouble = trouble;
  }
}

export interface WechatPhone {
  /** 86 for the mainland. */
  countryCode: string;
  /** Without it. */
  number: string;
}

/** What the house wants of a mini-program's makers. Throws WechatRefusal. */
export interface MiniProgramService {
  /** Of whoever got this code from `wx.login`; it works once. */
  openidOf(loginCode: string): Promise<string>;
  /** Of whoever let `getPhoneNumber` give them this code; it works once. */
  phoneOf(phoneCode: string, openid: string): Promise<WechatPhone>;
  /** Whether WeChat takes appid and secret. */
  proveSecret(): Promise<void>;
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
    const ask = async () => {
      const query = new URLSearchParams({ access_token: (await this.#freshToken()).value });
      return this.#ask<PhoneAnswer>(
        `/wxa/business/getuserphonenumber?${query}`,
        { code: phoneCode, openid },
        TOKEN_CODES,
      );
    };
    let answer = await ask();
    if (TOKEN_CODES.includes(answer.errcode ?? 0)) {
      this.#token = null;
      answer = await ask();
    }
    if (answer.errcode) throw refusalOf(answer);
    const { phone_info: info } = answer;
    // A phone that was asked for by another mini-program proves nothing in this one.
    if (!info?.purePhoneNumber || info.watermark?.appid !== this.#appId) return noAnswer();
    return { countryCode: String(info.countryCode), number: info.purePhoneNumber };
  }

  async proveSecret(): Promise<void> {
    this.#token = null;
    await this.#freshToken();
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
      );
    }
    const answer = parse<Given & Answer>(text);
    if (answer.errcode && !passing.includes(answer.errcode)) throw refusalOf(answer);
    return answer;
  }
}

interface PhoneAnswer {
  phone_info?: {
    purePhoneNumber?: string;
    countryCode?: string | number;
    watermark?: { appid?: string };
  };
}

function noAnswer(): never {
  throw new WechatRefusal("BUSY", "微信没有正常应答，请稍后再试");
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
  40013: ["SETTING", "AppID 不正确：请核对小程序后台“开发管理 › 开发设置”中的 AppID"],
  40029: ["CODE", "凭证无效或已过期"],
  40125: ["SETTING", "AppSecret 不正确或已被重置：请在小程序后台重新生成后填入"],
  40163: ["CODE", "凭证已被使用"],
  40226: ["RISKY", "微信判定该用户有风险，不允许登录"],
  40243: ["SETTING", "AppSecret 已被冻结：请在小程序后台“开发管理 › 开发设置”中解冻"],
  45009: ["BUSY", "今日调用微信接口的次数已用完：请在小程序后台查看额度"],
  45011: ["BUSY", "调用微信接口太频繁，请稍后再试"],
  48001: ["SETTING", "小程序没有获取手机号的权限：须先完成微信认证并开通手机号快速验证"],
  89503: ["SETTING", "这台服务器的调用须由小程序管理员在微信中确认后才放行"],
};

function refusalOf({ errcode = 0, errmsg = "" }: Answer): WechatRefusal {
  if (errcode === 40164) {
    const ip = /invalid ip ([0-9.]{7,15})/.exec(errmsg)?.[1] ?? "";
    const text = `本服务器的公网 IP ${ip} 不在白名单：请在小程序后台“开发管理 › 开发设置 › IP 白名单”中加入`;
    return new WechatRefusal("SETTING", `${text}（40164）`);
  }
  const [trouble, text] = refusals[errcode] ?? ["BUSY", "微信拒绝了请求"];
  return new WechatRefusal(trouble, `${text}（${errcode}）`);
}
