// Maps WeChat's error codes to a cause and a text for the person who can fix it.

/**
 * CODE: the code from the phone is invalid, expired or used. RISKY: WeChat blocks this user.
 * SETTING: AppID, secret or permissions, for the tenant to fix. BUSY: retry later. PERSON: the user
 * did not allow messages. TEMPLATE: content or target page, for the tenant to fix.
 */
export type WechatTrouble = "CODE" | "RISKY" | "SETTING" | "BUSY" | "PERSON" | "TEMPLATE";

/** WeChat refused a request; the message names the cause for the person who can fix it. */
export class WechatRefusal extends Error {
  readonly trouble: WechatTrouble;
  /** WeChat's errcode; null without an answer. */
  readonly errcode: number | null;
  /** WeChat may have executed the request all the same. */
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

export interface WechatAnswer {
  errcode?: number;
  errmsg?: string;
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

export function refusalOf({ errcode = 0, errmsg = "" }: WechatAnswer): WechatRefusal {
  if (errcode === 40164) {
    const ip = /invalid ip ([0-9.]{7,15})/.exec(errmsg)?.[1] ?? "";
    const text = `本服务器的公网 IP ${ip} 不在白名单：请在小程序后台“开发管理 › 开发设置 › IP 白名单”中加入`;
    return new WechatRefusal("SETTING", `${text}（40164）`, { errcode });
  }
  const [trouble, text] = refusals[errcode] ?? ["BUSY", "微信拒绝了请求"];
  const detail = errcode === 47003 ? wrongArgument(errmsg) : "";
  return new WechatRefusal(trouble, `${text}${detail}（${errcode}）`, { errcode });
}

/** Name of the rejected keyword, as in `argument invalid! data.thing1.value is empty`. */
function wrongArgument(errmsg: string): string {
  const name = /data\.(\w+)\.value/.exec(errmsg)?.[1];
  return name ? `，不对的是 ${name}` : "";
}
