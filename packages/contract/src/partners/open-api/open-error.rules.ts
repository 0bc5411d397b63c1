// Error codes and HTTP statuses that third parties receive for refused calls.
import { type ErrorCode, errorTable } from "../../kit/errors.ts";
import { inputErrors } from "../../kit/input-errors.ts";

/** HTTP statuses for refusals that the console receives with 200. */
const statuses: Partial<Record<ErrorCode, number>> = {
  VALIDATION: 400,
  NOT_FOUND: 404,
  REPEAT_DIFFERS: 409,
  ORDER_NO_TAKEN: 409,
  ORDER_NOT_CANCELLABLE: 409,
};

/** HTTP 422: well formed, but not possible in the current state. */
const UNPROCESSABLE = 422;

/** Error code for third parties: all input errors become VALIDATION. */
export function openCodeOf(code: ErrorCode): ErrorCode {
  return code in inputErrors ? "VALIDATION" : code;
}

/** HTTP status of this refusal for third parties. */
export function openStatus(code: ErrorCode): number {
  const { status } = errorTable[code];
  return statuses[code] ?? (status === 200 ? UNPROCESSABLE : status);
}

/** All errors of the open API with their remedies, for the documentation. */
export const openErrors = {
  VALIDATION: "修改请求内容；原样重试没有用",
  CONTENT_TYPE: "正文用 application/json",
  BODY_TOO_LARGE: "正文不超过 256 KB",
  PARTNER_UNPROVEN: "按文档核对签名；原因由租户在“调用记录”里查看",
  IDEMPOTENCY_KEY_REQUIRED: "写调用必须带 Idempotency-Key，重试时保持不变",
  REPEAT_DIFFERS: "同一个 Idempotency-Key 用于了不同的内容：换一个新的",
  REPEAT_IN_FLIGHT: "第一次还在处理：稍候用同一个 Idempotency-Key 重试",
  PRESS_EXPIRED: "x-pressed-at 的那次按下已超过 15 秒，什么也没有做：请操作的人重新按一次",
  PRESS_AHEAD: "x-pressed-at 晚于服务器的时间，什么也没有做：按响应里的 x-server-time 校准",
  NOT_FOUND: "核对编号；别的应用的订单也按不存在处理",
  BAD_REQUEST: "请求不是有效的 HTTP 请求：核对地址和请求头",
  REQUEST_TIMEOUT: "请求没有按时收完：检查网络后重试",
  HEADERS_TOO_LARGE: "请求头和地址合计不超过 16 KB",
  ROUTE_NOT_FOUND: "核对路径和方法",
  ORDER_NO_TAKEN: "这个第三方单号已有订单：查询它，或换一个单号",
  ORDER_NOT_CANCELLABLE:
    "请现场关好箱门后再取消；物品已放入时等订单变为 STORED，再用 TAKE_BACK 取回",
  STATE_NOT_ALLOWED: "先查询订单的状态",
  CABINET_TAKES_NO_ORDERS: "换一台设备",
  CABINET_OFFLINE: "换一台设备，或稍后重试",
  BROKER_UNREACHABLE: "指令没有发送，稍后重试",
  CABINET_RETIRED: "设备已停用，联系租户",
  NO_FREE_COMPARTMENT: "换一种大小，或换一台设备",
  APP_RESERVATIONS_FULL: "等已有的预约存入、取消或到期后重试，或换一台设备；上限见“限额”",
  RECIPIENT_LOCKED: "收件人被租户锁定，联系租户",
  TENANT_CLOSED: "租户已到期或停用，不能新存件；已存的物品仍可查询和取出，联系租户",
  COMMAND_IN_FLIGHT: "等正在进行的开门有了结果再试",
  OPPOSITE_DOOR_OPEN: "先关好另一面门",
  OPPOSITE_DOOR_UNKNOWN: "现场确认另一面门已关好",
  ORDER_IN_DOUBT:
    "上一次开门的结果还不知道：先看箱门，由人决定再开一次（afterDoubt），或联系租户核实",
  PRICING_CHANGED: "重新查询设备的 pricing，给人看过之后再下单",
  CODE_NOT_SENDABLE: "原取件码仍有效；核实身份后用开门接口打开箱门，或联系租户开通短信",
  ORDER_OWES: "请取件人在小程序里支付，或联系租户",
  CALLBACK_ADDRESS_MISSING: "请租户登记或启用应用的回调地址；或用 GET /open/v1/event 补读",
  CALLBACK_REPLAY_TOO_LARGE: "缩小范围，分几次重新推送",
  NO_PERMISSION: "应用没有 scope 里的那项权限，联系租户开通",
  FEATURE_OFF: "租户没有开通第三方接口：不能创建订单、查询设备；已有的订单不受影响，联系租户",
  RATE_LIMITED: "按 Retry-After 等待后重试",
  TENANT_REQUESTS_USED_UP: "按 Retry-After 等待后重试；租户的各应用和控制台合计，联系租户",
  OVERLOADED: "按 Retry-After 等待，用同一个 Idempotency-Key 重试",
  INTERNAL: "稍后用同一个 Idempotency-Key 重试；仍失败时告知 requestId",
} as const satisfies Partial<Record<ErrorCode, string>>;

export type OpenErrorCode = keyof typeof openErrors;

/** The remedies in English, for the English documents. */
export const openErrorsEnglish: Record<OpenErrorCode, string> = {
  VALIDATION: "Correct the request; repeating it unchanged does not help",
  CONTENT_TYPE: "Send the body as application/json",
  BODY_TOO_LARGE: "A body has at most 256 KB",
  PARTNER_UNPROVEN:
    "Check the signature against the documents; the tenant sees the reason in the call records",
  IDEMPOTENCY_KEY_REQUIRED: "Writing calls must have an Idempotency-Key; keep it when you retry",
  REPEAT_DIFFERS: "The same Idempotency-Key was used with another content: use a new one",
  REPEAT_IN_FLIGHT:
    "The first request is still in progress: retry a little later with the same Idempotency-Key",
  PRESS_EXPIRED:
    "The press of x-pressed-at is older than 15 seconds, and nothing was done: the person has to press again",
  PRESS_AHEAD:
    "x-pressed-at is later than the server's time, and nothing was done: set your clock by x-server-time of the answers",
  NOT_FOUND: "Check the id; orders of other applications are answered as if they did not exist",
  BAD_REQUEST: "Not a valid HTTP request: check address and headers",
  REQUEST_TIMEOUT: "The request did not arrive in time: check the network, then retry",
  HEADERS_TOO_LARGE: "Headers and address have at most 16 KB together",
  ROUTE_NOT_FOUND: "Check path and method",
  ORDER_NO_TAKEN: "An order with this thirdPartyNo exists: read it, or use another number",
  ORDER_NOT_CANCELLABLE:
    "Have the door closed at the cabinet, then cancel; with goods inside wait until the order is STORED, then use TAKE_BACK",
  STATE_NOT_ALLOWED: "Read the state of the order first",
  CABINET_TAKES_NO_ORDERS: "Choose another cabinet",
  CABINET_OFFLINE: "Choose another cabinet, or retry later",
  BROKER_UNREACHABLE: "No command was sent: retry later",
  CABINET_RETIRED: "The cabinet is retired: contact the tenant",
  NO_FREE_COMPARTMENT: "Choose another size or another cabinet",
  APP_RESERVATIONS_FULL:
    "Retry once earlier reservations are stored, cancelled or expired, or choose another cabinet; for the limit see “Limits”",
  RECIPIENT_LOCKED: "The tenant has locked the recipient: contact the tenant",
  TENANT_CLOSED:
    "The tenant has expired or is suspended: no new deposits; stored goods can still be read and taken out. Contact the tenant",
  COMMAND_IN_FLIGHT: "Wait until the opening in progress has a result, then retry",
  OPPOSITE_DOOR_OPEN: "Close the door on the other side first",
  OPPOSITE_DOOR_UNKNOWN: "Make sure at the cabinet that the door on the other side is closed",
  ORDER_IN_DOUBT:
    "The result of the last opening is not known: look at the door, let a person decide on another opening (afterDoubt), or ask the tenant to check",
  PRICING_CHANGED: "Read pricing of the cabinet again and show it before you order",
  CODE_NOT_SENDABLE:
    "The former code stays valid: open the door by the API once you know the person, or ask the tenant to set up text messages",
  ORDER_OWES: "The recipient must pay in the mini-program; or contact the tenant",
  CALLBACK_ADDRESS_MISSING:
    "Ask the tenant to register or enable a callback address of the application, or read the events by GET /open/v1/event",
  CALLBACK_REPLAY_TOO_LARGE: "Replay a smaller range, in several calls",
  NO_PERMISSION: "The application lacks the permission named in scope: ask the tenant to grant it",
  FEATURE_OFF:
    "The open API is switched off for the tenant: no new orders, no cabinets; existing orders are not affected. Contact the tenant",
  RATE_LIMITED: "Wait as Retry-After says, then retry",
  TENANT_REQUESTS_USED_UP:
    "Wait as Retry-After says, then retry; all applications and the console of the tenant count together: contact the tenant",
  OVERLOADED: "Wait as Retry-After says, then retry with the same Idempotency-Key",
  INTERNAL: "Retry later with the same Idempotency-Key; if it still fails, tell us the requestId",
};

export function isOpenError(code: string): code is OpenErrorCode {
  return code in openErrors;
}

/** Short text of each error, for call records. */
export const openErrorText: Record<OpenErrorCode, string> = {
  CODE_NOT_SENDABLE: "取件码发不出去",
  VALIDATION: "请求内容有误",
  CONTENT_TYPE: "内容类型不对",
  BODY_TOO_LARGE: "正文过大",
  PARTNER_UNPROVEN: "没有通过验证",
  IDEMPOTENCY_KEY_REQUIRED: "缺少 Idempotency-Key",
  REPEAT_DIFFERS: "同一个键前后内容不同",
  REPEAT_IN_FLIGHT: "第一次还在处理",
  PRESS_EXPIRED: "操作已过期",
  PRESS_AHEAD: "操作的时间晚于服务器",
  NOT_FOUND: "编号不存在",
  BAD_REQUEST: "请求有误",
  REQUEST_TIMEOUT: "请求超时",
  HEADERS_TOO_LARGE: "请求头过大",
  ROUTE_NOT_FOUND: "路径或方法不存在",
  ORDER_NO_TAKEN: "第三方单号已用过",
  ORDER_NOT_CANCELLABLE: "箱门未关或格口状态不明",
  STATE_NOT_ALLOWED: "订单状态不允许",
  CABINET_TAKES_NO_ORDERS: "设备暂不接单",
  CABINET_OFFLINE: "设备离线",
  BROKER_UNREACHABLE: "消息服务中断",
  CABINET_RETIRED: "设备已停用",
  NO_FREE_COMPARTMENT: "没有空闲格口",
  APP_RESERVATIONS_FULL: "应用的预约已达上限",
  RECIPIENT_LOCKED: "收件人已锁定",
  TENANT_CLOSED: "租户已到期或已停用",
  COMMAND_IN_FLIGHT: "正在开门",
  OPPOSITE_DOOR_OPEN: "另一面门开着",
  OPPOSITE_DOOR_UNKNOWN: "另一面门状态不明",
  ORDER_IN_DOUBT: "上次开门结果待核实",
  PRICING_CHANGED: "收费已变化",
  ORDER_OWES: "有费用未付",
  CALLBACK_ADDRESS_MISSING: "没有回调地址",
  CALLBACK_REPLAY_TOO_LARGE: "重新推送的范围过大",
  NO_PERMISSION: "应用没有这项权限",
  FEATURE_OFF: "租户没有开通第三方接口",
  RATE_LIMITED: "请求过于频繁",
  TENANT_REQUESTS_USED_UP: "租户的请求数用完",
  OVERLOADED: "服务繁忙",
  INTERNAL: "系统异常",
};
