// Pure rules of webhooks: states, retry schedule, address validation.

export const ENDPOINT_STATES = ["ENABLED", "FAILING", "DISABLED"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];
export const endpointStateText: Record<EndpointState, string> = {
  ENABLED: "正常",
  FAILING: "连续失败",
  DISABLED: "已停用",
};

export const PROBE_RESULTS = ["REFUSED", "ACCEPTED", "UNCLEAR"] as const;
export type ProbeResult = (typeof PROBE_RESULTS)[number];
export const probeResultText: Record<ProbeResult, string> = {
  REFUSED: "已拒绝错误签名",
  ACCEPTED: "未校验签名",
  UNCLEAR: "未能判断",
};

/**
 * Result of a probe with a wrong signature: DELIVERED means that the receiver verifies none, a 4xx
 * (except 404 and 429) that it refused; anything else is UNCLEAR.
 */
export function probeResultOf(outcome: AttemptOutcome, status: number | null): ProbeResult | null {
  if (outcome === "UNKNOWN" || outcome === "SIGN_FAILED") return null;
  if (outcome === "DELIVERED") return "ACCEPTED";
  return status !== null && status >= 400 && status < 500 && status !== 404 && status !== 429
    ? "REFUSED"
    : "UNCLEAR";
}

export const DELIVERY_STATES = ["WAITING", "SENDING", "DELIVERED", "DEAD", "CANCELLED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
export const deliveryStateText: Record<DeliveryState, string> = {
  WAITING: "等待发送",
  SENDING: "发送中",
  DELIVERED: "已送达",
  DEAD: "投递失败",
  CANCELLED: "已取消",
};

export const DELIVERY_PURPOSES = ["EVENT", "TEST", "PROBE"] as const;
export type DeliveryPurpose = (typeof DELIVERY_PURPOSES)[number];
export const deliveryPurposeText: Record<DeliveryPurpose, string> = {
  EVENT: "事件",
  TEST: "测试发送",
  PROBE: "错误签名测试",
};

export const ATTEMPT_OUTCOMES = [
  "DELIVERED",
  "HTTP_ERROR",
  "REDIRECT",
  "GONE",
  "TIMEOUT",
  "DNS_FAILED",
  "ADDRESS_REFUSED",
  "CONNECT_FAILED",
  "TLS_FAILED",
  "BROKEN_OFF",
  "SIGN_FAILED",
  "UNKNOWN",
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
export const attemptOutcomeText: Record<AttemptOutcome, string> = {
  DELIVERED: "已送达",
  HTTP_ERROR: "第三方返回错误",
  REDIRECT: "第三方要求跳转",
  GONE: "第三方不再接收",
  TIMEOUT: "超时",
  DNS_FAILED: "域名解析失败",
  ADDRESS_REFUSED: "地址不允许",
  CONNECT_FAILED: "连接失败",
  TLS_FAILED: "证书或加密错误",
  BROKEN_OFF: "连接中断",
  SIGN_FAILED: "无法签名，没有发出",
  UNKNOWN: "结果不明",
};

/** Remedy for each failed outcome, in Chinese. */
export const attemptAdvice: Partial<Record<AttemptOutcome, string>> = {
  HTTP_ERROR: "请第三方查看自己的日志：收到后应在 10 秒内回应 2xx，业务处理放到之后进行。",
  REDIRECT: "回调不跟随跳转：请把回调地址改为最终地址。",
  GONE: "第三方以 410 表示不再接收，回调地址已自动停用；确认后可重新启用。",
  TIMEOUT: "第三方 10 秒内没有回应：收到后应先回应 2xx，再处理业务。",
  DNS_FAILED: "请检查域名是否拼写正确、解析是否生效。",
  ADDRESS_REFUSED: "域名指向内网或保留地址，为防止被利用已拒绝连接：请使用公网地址。",
  CONNECT_FAILED: "请检查第三方服务是否在运行、防火墙是否放行。",
  TLS_FAILED: "请检查第三方证书是否过期、域名是否相符、证书链是否完整。",
  BROKEN_OFF: "第三方在回应之前断开了连接，请查看第三方服务或代理的日志。",
  SIGN_FAILED:
    "这个地址的签名密钥解不开：服务器上的 secret.key 与数据库不是同一套，多见于恢复备份之后。请换回原来的 secret.key，或对这个地址“立即替换密钥”并把新密钥交给第三方。",
  UNKNOWN:
    "发送途中服务中断，不知道第三方是否收到；已用相同的 webhook-id 重新发送，第三方据此去重。",
};

/**
 * Delay of each attempt after the previous one, in seconds: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h,
 * 14 h, 20 h, 24 h.
 */
export const SCHEDULE_SECONDS = [
  0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
] as const;
const JITTER = 0.2;
const LONGEST_SECONDS = 86_400;

/**
 * Seconds until the next attempt after `failures` failures; null: no more. `random` (0–1) is
 * jitter.
 */
export function retrySeconds(
  failures: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const planned = SCHEDULE_SECONDS[failures];
  if (planned === undefined) return null;
  const spread = planned * (1 - JITTER + 2 * JITTER * random);
  return Math.min(LONGEST_SECONDS * (1 + JITTER), Math.max(spread, retryAfterSeconds ?? 0));
}

/**
 * `Retry-After` in seconds from now, given as number or date; null where it is absent or invalid.
 */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  const given = header?.trim();
  if (!given) return null;
  const seconds = /^\d{1,9}$/.test(given)
    ? Number(given)
    : Math.ceil((Date.parse(given) - nowMs) / 1000);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_SECONDS) : null;
}

/** Consecutive failed attempts after which an endpoint is FAILING. */
export const FAILING_AFTER = 5;
/**
 * Concurrent deliveries per endpoint; a failing endpoint gets one, so that it delays nobody else.
 */
export const MOST_AT_A_TIME = 4;
export const MAX_ENDPOINTS = 20;
export const TIMEOUT_SECONDS = 10;
/** Retention of events and deliveries, in days. */
export const KEPT_DAYS = 30;
export const MAX_REPLAY = 5_000;
export const OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 7 * 24;
export const MAX_ACTIVE_SECRETS = 2;

export const REPLAY_KINDS = ["MISSED", "ALL"] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];
export const replayKindText: Record<ReplayKind, string> = {
  MISSED: "只补发没有送达的",
  ALL: "全部重新发送",
};

/** Signed text: `webhook-id.webhook-timestamp.body`. */
export function signedText(webhookId: string, timestamp: number, body: string): string {
  return `${webhookId}.${timestamp}.${body}`;
}

/** `webhook-id` header of an event. */
export function webhookIdOf(uid: string): string {
  return `evt_${uid}`;
}

/** Ports of non-HTTP services. */
const refusedPorts = new Set([
  1433, 1521, 1883, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 4333, 5060, 5061, 5432, 5672, 5900,
  5984, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 7001, 8883, 9042, 9092, 9200,
  9300, 10080, 10250, 11211, 15672, 27017, 50000,
]);

/**
 * Problem of a webhook address, in Chinese; null when there is none. Each attempt checks the
 * resolved address again.
 */
export function webhookUrlProblem(text: string, allowsLoopback: boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:\/\//i.test(text)) {
    return "回调地址不是完整的网址：应如 https://example.com/callback";
  }
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (allowsLoopback && isLoopbackHost(host)) return null;
  if (url.protocol !== "https:") return "回调地址须以 https:// 开头，否则内容会被他人看到";
  if (url.username || url.password) return "回调地址不能带用户名或密码";
  if (url.hash) return "回调地址不能带 # 之后的部分";
  const isAddress = host.startsWith("[") || /^[\d.]+$/.test(host);
  if (!isAddress && !/^([a-z0-9_-]+\.)+([a-z][a-z0-9-]*[a-z0-9])$/.test(host)) {
    return "回调地址的域名不完整：应为公网域名，例如 example.com";
  }
  const port = url.port === "" ? 443 : Number(url.port);
  if (port !== 443 && (port < 1024 || refusedPorts.has(port))) {
    return `端口 ${port} 不能用作回调地址：请用 443，或 1024 以上的网页服务端口`;
  }
  return null;
}

function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
