// Pure rules of SMS states and their explanation.
import { type SmsCarrierName, smsCarrierText, smsCodeText } from "./sms-carrier.rules.ts";

/** OUTBOX: no channel was enabled. SENDING: the carrier may already have accepted it. */
export const SMS_STATES = ["OUTBOX", "QUEUED", "SENDING", "SENT", "DELIVERED", "FAILED"] as const;
export type SmsState = (typeof SMS_STATES)[number];
export const smsStateText: Record<SmsState, string> = {
  OUTBOX: "未发送（仅存档）",
  QUEUED: "待发送",
  SENDING: "发送中",
  SENT: "已提交",
  DELIVERED: "已送达",
  FAILED: "失败",
};

/**
 * Results of our own: reasons for not handing it to the carrier, or a missing answer of the
 * carrier.
 */
export const ownResultText = {
  NO_CREDIT: "短信余额不足，未发送：请联系平台充值后重发",
  CREDIT_RESERVED: "短信余额将尽，剩余条数留给验证码与取件码，未发送：请联系平台充值后重发",
  PHONE_LIMITED: "发给这个手机号的短信过于频繁，未发送",
  NO_TEMPLATE: "这个场景没有短信模板代码，未发送：请在“消息模板配置”中填写",
  TOO_LATE: "等到能发送时已经过时，未发送",
  FORGOTTEN: "收信的用户已注销，未发送",
  UNREADABLE: "短信内容无法解密，未发送：请检查 secret.key 是否属于本系统",
  RESTORED: "恢复备份时还在等待发送：可能已由恢复前的系统发出，未再发送，用户没有收到时请重发",
  CHANNEL_OFF: "短信通道已停用，未发送",
  UNREACHABLE: "连接不上短信通道，未发送：请检查服务器能否访问外网",
  UNKNOWN: "短信通道没有应答，正在查询它是否已经收下",
  LOST: "短信通道没有这条短信的记录，视为没有发出，条数已退回",
  NO_RECEIPT: "短信通道已收下，三天内没有收到送达回执",
} as const;
export type OwnResultCode = keyof typeof ownResultText;

/**
 * Codes such as `isv.…` and `FailedOperation.…` are the carrier's refusals; others come from a
 * network operator's receipt.
 */
const API_CODE = /^(is[vp]\.|[A-Z][a-z])/;

interface Result {
  state: SmsState;
  carrier: SmsCarrierName | null;
  resultCode: string;
  /** Message of the carrier, verbatim. */
  resultText: string;
}

/** One sentence on the state and its remedy; empty where the state is enough. */
export function smsResultText({ state, carrier, resultCode, resultText }: Result): string {
  if (resultCode === "") return state === "OUTBOX" ? "未开通短信通道" : "";
  if (resultCode in ownResultText) return ownResultText[resultCode as OwnResultCode];
  const advice = smsCodeText(resultCode);
  if (!advice && !API_CODE.test(resultCode)) {
    return `没有送达，运营商回执 ${resultCode}：可能是空号、停机、关机或被拦截`;
  }
  const quoted =
    resultText && resultText !== resultCode ? `${resultCode}，${resultText}` : resultCode;
  const who = carrier ? smsCarrierText[carrier] : "短信通道";
  return advice ? `${advice}（${resultCode}）` : `${who}返回 ${quoted}`;
}

/** Reason why a message cannot be resent, in Chinese; undefined where it can. */
export function resendObstacle(message: {
  scene: string;
  state: SmsState;
  templateCode: string | null;
  resentById: number | null;
  phone: string;
  isMoot: boolean;
}): string | undefined {
  if (message.phone === "") return "收信的用户已注销";
  if (message.state === "QUEUED" || message.state === "SENDING") return "正在发送";
  if (message.scene === "SIGN_IN_CODE") return "登录验证码已失效，请用户重新获取";
  if (message.isMoot) return "物品已不在柜内";
  if (message.scene === "PICKUP_CODE") return "取件码请在订单中重发";
  if (message.resentById !== null) return "已经重发过，请在新的一条上操作";
  return message.templateCode === null ? "没有短信模板代码，通道不会收下" : undefined;
}
