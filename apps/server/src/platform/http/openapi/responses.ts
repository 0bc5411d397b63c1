// Answers of refused calls in the API document: one component for each status and set of error codes.
import { type ErrorCode, errorText, errorUrl } from "@cabinet/contract/kit/errors.ts";
import { SERVER_TIME_HEADER } from "@cabinet/contract/kit/press.rules.ts";

import { openEnum } from "./named-schemas.ts";

const REFUSED = { $ref: "#/components/schemas/Refused" };
export const REQUEST_ID = "1f0c0a52-6d2c-4b7e-a3cc-0f6a2f0c9f11";

/** Schema of a refusal with one of these codes. */
export function refusedWith(codes: readonly ErrorCode[]) {
  return {
    allOf: [
      REFUSED,
      { type: "object", properties: { errCode: { type: "string", ...openEnum(codes) } } },
    ],
  };
}

export function refusalSample(code: ErrorCode) {
  return {
    ...{ code: 1, data: null, errMsg: errorText(code, {}, "api"), errCode: code },
    ...{ docUrl: errorUrl(code), requestId: REQUEST_ID },
  };
}

const descriptions: Record<number, string> = {
  400: "请求内容有误",
  401: "没有登录，或签名没有通过",
  403: "没有权限，或须先完成别的步骤",
  404: "不存在",
  408: "请求没有按时收完",
  409: "与之前的请求冲突",
  413: "正文过大",
  415: "内容类型不对",
  422: "现在不能这样做",
  429: "请求过于频繁：按 Retry-After 等待",
  431: "请求头过大",
  499: "租户已到期或停用",
  500: "系统异常",
  502: "上游服务没有响应",
  503: "服务繁忙：按 Retry-After 等待",
};

const integer = (description: string) => ({
  description,
  schema: { type: "integer", minimum: 0 },
});
/** Headers of every answer to a proven application. */
export const PARTNER_HEADERS = {
  "RateLimit-Limit": integer("每分钟最多请求"),
  "RateLimit-Remaining": integer("这一分钟还剩几次"),
  "RateLimit-Reset": integer("多少秒后重新计数"),
  [SERVER_TIME_HEADER]: integer("服务器的时间，Unix 毫秒"),
};
export const REPLAYED_HEADERS = {
  "Idempotent-Replayed": {
    description: "true：这是同一个 Idempotency-Key 第一次的结果，没有再次执行",
    schema: { type: "string", enum: ["true"] },
  },
};

const RETRY_AFTER = {
  "Retry-After": { description: "等待的秒数", schema: { type: "integer", minimum: 1 } },
};

export class Responses {
  readonly #byKey = new Map<string, { name: string; response: object }>();
  readonly #counts = new Map<number, number>();

  /** Reference to the response component. */
  refer(status: number, codes: readonly ErrorCode[]): { $ref: string } {
    const key = `${status} ${codes.join(" ")}`;
    const known = this.#byKey.get(key) ?? this.#add(key, status, codes);
    return { $ref: `#/components/responses/${known.name}` };
  }

  #add(key: string, status: number, codes: readonly ErrorCode[]) {
    const count = (this.#counts.get(status) ?? 0) + 1;
    this.#counts.set(status, count);
    const [first] = codes;
    const response = {
      description: descriptions[status] ?? `HTTP ${status}`,
      ...((status === 429 || status === 503) && { headers: RETRY_AFTER }),
      content: {
        "application/json": {
          schema: refusedWith(codes),
          ...(first && { example: refusalSample(first) }),
        },
      },
    };
    const added = { name: `Refused${status}${count > 1 ? `.${count}` : ""}`, response };
    this.#byKey.set(key, added);
    return added;
  }

  components(): Record<string, object> {
    const all = [...this.#byKey.values()].map(({ name, response }) => [name, response]);
    return Object.fromEntries(all);
  }
}
