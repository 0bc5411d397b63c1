// Pure rules of third-party applications: scopes, keys, meaning of authentication failures.
import {
  type CabinetRefusal,
  orderRefusalText,
} from "../../fleet/cabinet/cabinet-service.rules.ts";

export const OPEN_SCOPES = ["order:read", "order:write", "order:open", "cabinet:read"] as const;
export type OpenScope = (typeof OPEN_SCOPES)[number];
export const openScopeText: Record<OpenScope, string> = {
  "order:read": "查询订单",
  "order:write": "创建、取消订单，重发取件码",
  "order:open": "开门",
  "cabinet:read": "查询设备和空闲格口",
};

export const cabinetRefusalText: Record<CabinetRefusal, string> = {
  TENANT_INACTIVE: "租户已到期或已停用",
  RETIRED: orderRefusalText.RETIRED.why,
  INACTIVE: orderRefusalText.INACTIVE.why,
  PAUSED: orderRefusalText.PAUSED.why,
  SERVICE_STOPPED: orderRefusalText.SERVICE_STOPPED.why,
  SERVICE_EXPIRED: orderRefusalText.SERVICE_EXPIRED.why,
  SERVICE_PENDING: orderRefusalText.SERVICE_PENDING.why,
  OFFLINE: "设备不在线",
  FULL: "没有空闲格口",
};

export const MAX_APPS = 50;
/** Rows of one page of the open API. */
export const MAX_PAGE_SIZE = 100;

export const OPEN_KID_PATTERN = "^[0-9a-z-]{4,32}$";
/** Visible ASCII only, so that every program shows it the same. */
export const THIRD_PARTY_NO_PATTERN = "^[\\x21-\\x7e]{1,64}$";

/**
 * Reason why a request failed authentication, in the order of the checks; shown only to the owner.
 * TENANT_CLOSED and SCOPE occur in older records alone: such calls are now refused after the signature is verified.
 */
export const OPEN_REFUSALS = [
  "UNREAD",
  "SYNTAX",
  "TIME",
  "APP_DISABLED",
  "KEY_UNKNOWN",
  "KEY_ENDED",
  "TENANT_CLOSED",
  "NETWORK",
  "SIGNATURE",
  "REPLAY",
  "SCOPE",
] as const;
export type OpenRefusal = (typeof OPEN_REFUSALS)[number];
export const openRefusalText: Record<OpenRefusal, string> = {
  UNREAD: "正文没有读完",
  SYNTAX: "请求头写法不对",
  TIME: "时间相差超过 300 秒",
  APP_DISABLED: "应用已停用",
  KEY_UNKNOWN: "没有这个密钥编号",
  KEY_ENDED: "密钥已失效或已吊销",
  TENANT_CLOSED: "租户已到期或已停用",
  NETWORK: "来源地址不在白名单内",
  SIGNATURE: "签名不符",
  REPLAY: "随机数已经用过",
  SCOPE: "应用没有这项权限",
};
export const openRefusalAdvice: Record<OpenRefusal, string> = {
  UNREAD: "正文不超过 256 KB，Content-Length 与正文一致；没有读完的请求不验签",
  SYNTAX: "核对 Authorization 的写法：项目、次序、逗号后不留空格，签名为标准 base64",
  TIME: "校准第三方服务器的时钟；ts 为 unix 秒，不是毫秒",
  APP_DISABLED: "在接口应用里启用它",
  KEY_UNKNOWN: "核对 kid；密钥编号在接口应用的详情里",
  KEY_ENDED: "改用有效的密钥，或轮换出一把新的",
  TENANT_CLOSED: "续期或恢复租户后再试",
  NETWORK: "核对第三方的出口地址，或修改 IP 白名单",
  SIGNATURE: "用“签名调试”比对待签字符串，逐行核对",
  REPLAY: "每次请求都换一个新的随机数；重试也要重新签名",
  SCOPE: "在接口应用里勾选这项权限",
};

/** Whether the third party knows the current state of its order. */
export const DIFFERENCES = ["SAME", "BEHIND", "UNTOLD"] as const;
export type Difference = (typeof DIFFERENCES)[number];
export const differenceText: Record<Difference, string> = {
  SAME: "一致",
  BEHIND: "第三方落后",
  UNTOLD: "未告知",
};

/**
 * Position in the changes of an application's orders: restorations of the database so far, transaction and order. Callers
 * keep it without reading it.
 */
export const CHANGE_CURSOR_PATTERN = "^c[0-9]{1,6}\\.[0-9]{1,15}\\.[0-9]{1,16}$";

export interface ChangePosition {
  restorations: number;
  tx: number;
  orderId: number;
}

export function changeCursorOf({ restorations, tx, orderId }: ChangePosition): string {
  return `c${restorations}.${tx}.${orderId}`;
}

export function changePositionOf(cursor: string): ChangePosition {
  const [restorations = 0, tx = 0, orderId = 0] = cursor.slice(1).split(".").map(Number);
  return { restorations, tx, orderId };
}
