// Error catalogue (specification §8) as a pure function: message and effect of a failed call.
import type { SecondStep } from "@cabinet/contract/identity/second-factor/second-factor.rules.ts";
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";

/** `offline`: the browser had no network all the time, so that nothing has left. */
type FailureKind = "refused" | "http" | "offline" | "network" | "timeout" | "aborted";

/** Known facts about a failed call. */
export interface FailedReply {
  kind: FailureKind;
  /** 0 if there was no response. */
  status: number;
  data?: unknown;
  errMsg?: string | undefined;
  errCode?: string | undefined;
  requestId?: string | undefined;
  /** Without an answer nobody knows whether a write was done. */
  isWrite?: boolean;
  /** The browser's own message, for errors outside of the catalogue. */
  errorMessage?: string | undefined;
}

export interface Failure {
  message: string;
  /** Shows no toast. */
  isSilent: boolean;
  effect: "none" | "sign-out" | "change-password" | SecondStep;
}

/** Refusals of a session that has to do something else first. */
const dueSteps: Partial<Record<ErrorCode, Failure["effect"]>> = {
  PASSWORD_CHANGE_REQUIRED: "change-password",
  SECOND_FACTOR_DUE: "DUE",
  SECOND_FACTOR_MISSING: "MISSING",
};

const SIGN_IN_EXPIRED = "登录已过期，请重新登录";
const NO_PERMISSION = "没有权限访问该资源";
const TENANT_EXPIRED = "租户信息已过期，请联系客服";
const NETWORK_POOR = "网络不佳，请稍后重试";
const OFFLINE = "网络已断开，请恢复后重试";
const NOT_SENT = "网络已断开，指令未发送";
const RESULT_UNKNOWN = "没有收到响应，结果未知：请先刷新，核对是否已生效，再决定是否重做";
const fixedTexts: Record<number, string> = {
  404: "请求不存在：404",
  502: NETWORK_POOR,
  503: "服务维护中，请稍后重试",
  504: "系统超时，请稍后重试",
};

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** The cabinet app config does not exist and a remote pull should be tried. */
function isAppConfigMissing(message: string): boolean {
  return /应用配置不存在.*远程拉取/.test(message);
}

function withRequestId(message: string, requestId: string | undefined): string {
  return !requestId || message.includes(requestId) ? message : `${message}（编号 ${requestId}）`;
}

export function describeFailure(reply: FailedReply): Failure {
  const data = textOf(reply.data);
  const errMsg = textOf(reply.errMsg);
  const plain = (message: string): Failure => ({ message, isSilent: false, effect: "none" });
  if (reply.kind === "aborted") return { message: "操作已取消", isSilent: true, effect: "none" };
  if (reply.kind === "offline") return plain(reply.isWrite ? NOT_SENT : OFFLINE);
  const hasNoAnswer = reply.kind === "timeout" || reply.kind === "network";
  if (hasNoAnswer && reply.isWrite) return plain(RESULT_UNKNOWN);
  if (reply.kind === "timeout") return plain("请求超时，请稍后重试");
  if (reply.kind === "network") return plain(NETWORK_POOR);
  if (reply.kind === "refused") {
    const message = errMsg || data || "操作未成功，请稍后重试";
    return { ...plain(message), isSilent: isAppConfigMissing(message) };
  }
  switch (reply.status) {
    case 401:
      return { ...plain(errMsg || SIGN_IN_EXPIRED), effect: "sign-out" };
    case 403: {
      const message = data || errMsg || NO_PERMISSION;
      return { ...plain(message), effect: dueSteps[reply.errCode as ErrorCode] ?? "none" };
    }
    case 499:
      return { ...plain(errMsg || TENANT_EXPIRED), effect: "sign-out" };
    case 500:
      return plain(withRequestId(data || errMsg || "系统异常：500", reply.requestId));
    default:
      return plain(
        fixedTexts[reply.status] ??
          (errMsg || reply.errorMessage || `请求失败：${reply.status}，请稍后重试`),
      );
  }
}
