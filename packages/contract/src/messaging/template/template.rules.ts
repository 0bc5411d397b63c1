// Pure rules of message templates (消息模板): recipients, variables, channels and built-in text of each
// scene.

import { yuanOfFen } from "../../kit/money.rules.ts";
import { shanghaiMinute } from "../../kit/shanghai.rules.ts";
import type { AppRole } from "../../vocabulary/order.rules.ts";
import type { MessageScenario } from "../sms/sms.rules.ts";

/**
 * Channels of a message: SUBSCRIBE is a WeChat subscribe message, FALLBACK an SMS where that
 * fails.
 */
export const PLANS = ["SMS", "SUBSCRIBE", "FALLBACK", "BOTH", "OFF"] as const;
export type Plan = (typeof PLANS)[number];
export const planText: Record<Plan, string> = {
  SMS: "只发短信",
  SUBSCRIBE: "只发订阅消息",
  FALLBACK: "订阅消息优先，发不出改发短信",
  BOTH: "短信和订阅消息都发",
  OFF: "不发送",
};

export const goesBySms = (plan: Plan) => plan === "SMS" || plan === "FALLBACK" || plan === "BOTH";
export const goesBySubscription = (plan: Plan) =>
  plan === "SUBSCRIBE" || plan === "FALLBACK" || plan === "BOTH";

export const CHANNELS = ["SMS", "SUBSCRIBE"] as const;
export type Channel = (typeof CHANNELS)[number];
export const channelText: Record<Channel, string> = { SMS: "短信", SUBSCRIBE: "订阅消息" };

/** Source of an SMS text: the tenant's own, the platform's for all tenants, or the built-in one. */
export const SMS_SOURCES = ["OWN", "PLATFORM", "BUILT_IN"] as const;
export type SmsSource = (typeof SMS_SOURCES)[number];
export const smsSourceText: Record<SmsSource, string> = {
  OWN: "自定义",
  PLATFORM: "平台默认",
  BUILT_IN: "系统内置",
};

export const VARIABLE_KINDS = ["CODE", "NUMBER", "TEXT", "TIME", "MONEY", "PHONE"] as const;
export type VariableKind = (typeof VARIABLE_KINDS)[number];

interface Variable {
  title: string;
  kind: VariableKind;
  /** Sample in the form of a fact: TIME in ISO 8601, MONEY in fen. */
  sample: string;
}

/** Variables that messages may contain. */
export const variables = {
  code: { title: "验证码 / 取件码", kind: "CODE", sample: "582931" },
  minutes: { title: "有效分钟数", kind: "NUMBER", sample: "5" },
  place: { title: "柜机位置", kind: "TEXT", sample: "仓前小镇店 4 号柜" },
  no: { title: "格口号", kind: "NUMBER", sample: "12" },
  price: {
    title: "计费规则",
    kind: "TEXT",
    sample: "前 30 分钟免费，之后每 1 小时 1.50 元",
  },
  path: {
    title: "网页链接",
    kind: "TEXT",
    sample: "m/c/SC2410000012/pickup",
  },
  orderId: { title: "订单号", kind: "NUMBER", sample: "176380920000001" },
  storedAt: { title: "存入时间", kind: "TIME", sample: "2026-11-22T04:26:00Z" },
  overdueAt: { title: "滞留时间", kind: "TIME", sample: "2026-11-23T04:26:00Z" },
  endedAt: { title: "取出时间", kind: "TIME", sample: "2026-11-22T10:08:00Z" },
  refundedAt: { title: "退款时间", kind: "TIME", sample: "2026-11-22T11:30:00Z" },
  amount: { title: "退款金额", kind: "MONEY", sample: "350" },
  recipient: { title: "取件人手机号（已隐藏中间四位）", kind: "PHONE", sample: "138****8000" },
  title: { title: "通知类型", kind: "TEXT", sample: "故障通知" },
  what: { title: "故障内容", kind: "TEXT", sample: "离线" },
  advice: { title: "处理要求", kind: "TEXT", sample: "请尽快处理" },
  tenant: { title: "运营商名称", kind: "TEXT", sample: "顺达快柜" },
  servicePhone: { title: "客服电话", kind: "PHONE", sample: "400-800-1234" },
} as const satisfies Record<string, Variable>;
export type VariableKey = keyof typeof variables;
export const VARIABLE_KEYS = Object.keys(variables) as VariableKey[];

interface ScenarioSpec {
  /** True: both sides share one template. */
  isShared: boolean;
  /** Recipient and occasion, in Chinese. */
  recipient: string;
  when: string;
  /** App roles that read it as a subscribe message; empty where there is none. */
  readers: readonly AppRole[];
  /** Variables without which the message is useless. */
  needs: readonly VariableKey[];
  /** Further variables, besides `common`. */
  has: readonly VariableKey[];
  /** Allowed plans; the first is the default. */
  plans: readonly Plan[];
  /** Built-in text, in the style of carriers' templates. */
  builtIn: string;
}

/** Available in every scene. */
const common = ["tenant", "servicePhone"] as const satisfies VariableKey[];

const scenes = {
  SIGN_IN_CODE: {
    isShared: true,
    recipient: "登录的用户",
    when: "在小程序中获取登录验证码",
    readers: [],
    needs: ["code"],
    has: ["code", "minutes"],
    plans: ["SMS"],
    builtIn: `登录验证码 \${code}，\${minutes} 分钟内有效，请勿告诉他人。`,
  },
  PICKUP_CODE: {
    isShared: false,
    recipient: "取件人",
    when: "物品存入，或重发取件码",
    readers: ["RECIPIENT"],
    needs: ["code"],
    has: ["code", "place", "no", "price", "path", "storedAt", "overdueAt", "orderId"],
    plans: ["SMS", "FALLBACK", "BOTH"],
    builtIn: `取件码 \${code}：\${place} \${no} 号格口。\${price}。`,
  },
  STORED: {
    isShared: false,
    recipient: "存件人（替他人存件时）",
    when: "物品存入",
    readers: ["RIDER"],
    needs: [],
    has: ["place", "no", "recipient", "storedAt", "orderId"],
    plans: ["SUBSCRIBE", "SMS", "FALLBACK", "BOTH", "OFF"],
    builtIn: `您的物品已存入\${place} \${no} 号格口，取件码已发送给 \${recipient}。`,
  },
  OVERDUE: {
    isShared: false,
    recipient: "取件人",
    when: "物品超过免滞留时长仍未取出",
    readers: ["RECIPIENT"],
    needs: [],
    has: ["place", "no", "price", "path", "storedAt", "orderId"],
    plans: ["SMS", "SUBSCRIBE", "FALLBACK", "BOTH"],
    builtIn: `您在\${place} \${no} 号格口的物品已滞留，请尽快取出。\${price}。`,
  },
  OUTAGE: {
    isShared: false,
    recipient: "取件人",
    when: "设备故障或离线，物品暂时取不出，由运营人员在故障详情中通知",
    readers: ["RECIPIENT"],
    needs: [],
    has: ["place", "no", "storedAt", "orderId"],
    plans: ["SMS", "SUBSCRIBE", "FALLBACK", "BOTH"],
    builtIn: `您在\${place} \${no} 号格口的物品因设备故障暂时取不出，我们正在处理，恢复后可凭原取件码取件。`,
  },
  RECIPIENT_CHANGED: {
    isShared: false,
    recipient: "原取件人",
    when: "运营人员更正取件人手机号，原取件码作废；新取件人收到取件码",
    readers: ["RECIPIENT"],
    needs: [],
    has: ["place", "no", "orderId"],
    plans: ["SMS", "SUBSCRIBE", "FALLBACK", "BOTH", "OFF"],
    builtIn: `\${place} \${no} 号格口的物品已更正取件人手机号，您收到的取件码已失效。`,
  },
  PICKED_UP: {
    isShared: false,
    recipient: "存件人（替他人存件时）",
    when: "取件人取出物品",
    readers: ["RIDER"],
    needs: [],
    has: ["place", "no", "recipient", "endedAt", "orderId"],
    plans: ["SUBSCRIBE", "SMS", "FALLBACK", "BOTH", "OFF"],
    builtIn: `您存入\${place} \${no} 号格口的物品已由 \${recipient} 取出。`,
  },
  TAKEN_BACK: {
    isShared: false,
    recipient: "取件人（他人存件时）",
    when: "存件人取回物品，取件码作废",
    readers: ["RECIPIENT"],
    needs: [],
    has: ["place", "no", "endedAt", "orderId"],
    plans: ["SUBSCRIBE", "SMS", "FALLBACK", "BOTH", "OFF"],
    builtIn: `您在\${place} \${no} 号格口的物品已被存件人取回，取件码已失效。`,
  },
  REFUNDED: {
    isShared: false,
    recipient: "付款人",
    when: "订单费用退回钱包",
    readers: ["RIDER", "RECIPIENT"],
    needs: [],
    has: ["amount", "orderId", "place", "refundedAt"],
    plans: ["SUBSCRIBE", "SMS", "FALLBACK", "BOTH", "OFF"],
    builtIn: `订单 \${orderId} 已退款 \${amount} 元到您的钱包。`,
  },
  MALFUNCTION: {
    isShared: true,
    recipient: "运维人员和相关账号",
    when: "设备或门店出现故障（在维护消息配置中设置接收人）",
    readers: [],
    needs: ["place", "what"],
    has: ["title", "place", "what", "advice"],
    plans: ["SMS"],
    builtIn: `\${title}：\${place}\${what}，\${advice}。`,
  },
} as const satisfies Record<MessageScenario, ScenarioSpec>;
export const scenarioSpecs: Readonly<Record<MessageScenario, ScenarioSpec>> = scenes;

/**
 * Path of the web page that opens a parcel's door with its code. The text of a template has the site's address before it:
 * carriers approve a link by its domain, and let a variable follow.
 */
export const pickupPath = (sn: string) => `m/c/${sn}/pickup`;

/** Facts that a sender must supply for a scene; times in ISO 8601, money in fen. */
export type Facts<Scene extends MessageScenario = MessageScenario> = Scene extends MessageScenario
  ? Readonly<Record<(typeof scenes)[Scene]["has"][number], string | number>>
  : never;

export function variablesOf(scene: MessageScenario): VariableKey[] {
  return [...scenarioSpecs[scene].has, ...common];
}

export function usualPlan(scene: MessageScenario): Plan {
  return scenarioSpecs[scene].plans[0] ?? "OFF";
}

/** Formats a value for SMS: `11月22日 12:26`, `3.50`. */
export function spokenValue(key: VariableKey, value: string | number): string {
  const { kind } = variables[key];
  if (kind === "MONEY") return yuanOfFen(Number(value));
  if (kind !== "TIME" || value === "") return String(value);
  const [day = "", clock = ""] = shanghaiMinute(String(value)).split(" ");
  const [, month, date] = day.split("-").map(Number);
  return `${month}月${date}日 ${clock}`;
}

/** Sample facts for previews and tests. */
export function sampleFacts(scene: MessageScenario): Record<string, string> {
  return Object.fromEntries(variablesOf(scene).map((key) => [key, variables[key].sample]));
}
