// Pure rules of mini-programs: where WeChat pushes its messages, and how it seals them.

/** As WeChat's own console calls them; OFF: nothing is pushed. */
export const PUSH_MODES = ["OFF", "PLAIN", "COMPATIBLE", "SAFE"] as const;
export type PushMode = (typeof PUSH_MODES)[number];
export const pushModeText: Record<PushMode, string> = {
  OFF: "不接收",
  PLAIN: "明文模式",
  COMPATIBLE: "兼容模式",
  SAFE: "安全模式（推荐）",
};

/** Whether the messages of this mode come sealed, which takes an EncodingAESKey. */
export const isSealedMode = (mode: PushMode): boolean => mode === "COMPATIBLE" || mode === "SAFE";

export const PUSH_TOKEN_LENGTH = 32;
export const PUSH_KEY_LENGTH = 43;

/** Where WeChat pushes messages, below the public origin of the installation. */
export const PUSH_PATH = "/wechat/v1/push/{tenantId}";

export function pushUrl(origin: string, tenantId: number): string {
  return `${origin}${PUSH_PATH.replace("{tenantId}", String(tenantId))}`;
}
