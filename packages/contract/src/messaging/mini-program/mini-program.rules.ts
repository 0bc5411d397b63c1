// Pure rules of mini-programs: path and encryption modes of WeChat's message push.

/** Names as in WeChat's console; OFF: no push. */
export const PUSH_MODES = ["OFF", "PLAIN", "COMPATIBLE", "SAFE"] as const;
export type PushMode = (typeof PUSH_MODES)[number];
export const pushModeText: Record<PushMode, string> = {
  OFF: "不接收",
  PLAIN: "明文模式",
  COMPATIBLE: "兼容模式",
  SAFE: "安全模式（推荐）",
};

/** True if messages in this mode are encrypted, which requires an EncodingAESKey. */
export const isSealedMode = (mode: PushMode): boolean => mode === "COMPATIBLE" || mode === "SAFE";

export const PUSH_TOKEN_LENGTH = 32;
export const PUSH_KEY_LENGTH = 43;

/** Path for WeChat's message push, below the installation's public origin. */
export const PUSH_PATH = "/wechat/v1/push/{tenantId}";

export function pushUrl(origin: string, tenantId: number): string {
  return `${origin}${PUSH_PATH.replace("{tenantId}", String(tenantId))}`;
}
