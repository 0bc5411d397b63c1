// Every refusal by code: its HTTP status and what the user reads. One table for the whole house.

/** Status 200 means envelope code 1: the specification's clients show `errMsg` as it stands. */
export const errorTable = {
  VALIDATION: { status: 200, text: "提交的内容有误，请检查后重试" },
  NOT_FOUND: { status: 200, text: "{what}不存在，或不在您的管理范围内" },
  CONFLICT: { status: 200, text: "{what}刚刚被修改过，请刷新后重试" },
  RATE_LIMITED: { status: 429, text: "操作太频繁，请 {seconds} 秒后再试" },
  BODY_TOO_LARGE: { status: 413, text: "提交的内容过大，请减少后重试" },
  CONTENT_TYPE: { status: 415, text: "不支持的内容类型，应为 {expected}" },
  ROUTE_NOT_FOUND: { status: 404, text: "请求不存在：404" },
  OVERLOADED: { status: 503, text: "服务繁忙，请稍后重试" },
  INTERNAL: { status: 500, text: "系统异常，请稍后重试；如仍出现，请把编号 {requestId} 告诉我们" },

  SIGN_IN_REQUIRED: { status: 401, text: "登录已过期，请重新登录" },
  SESSION_REVOKED: { status: 401, text: "登录状态已失效，请重新登录" },
  NO_PERMISSION: { status: 403, text: "没有权限访问该资源" },
  TENANT_MISMATCH: { status: 403, text: "租户与登录账号不一致，请求已拒绝" },
  PASSWORD_CHANGE_REQUIRED: { status: 403, text: "首次登录请先修改密码" },
  TENANT_EXPIRED: { status: 499, text: "租户信息已过期，请联系客服" },
  CAPTCHA_INVALID: { status: 200, text: "人机验证未通过或已过期，请重新验证" },
  CREDENTIALS_WRONG: { status: 200, text: "账号或密码不正确" },
  SIGN_IN_THROTTLED: { status: 200, text: "尝试次数过多，请 {seconds} 秒后再试" },
  OLD_PASSWORD_WRONG: { status: 200, text: "原密码不正确" },
  PASSWORD_UNCHANGED: { status: 200, text: "新密码不能与原密码相同" },
  PASSWORD_WEAK: { status: 200, text: "密码过于简单，须满足：{why}" },

  MENU_HAS_CHILDREN: { status: 200, text: "“{title}”下还有 {children} 个子项，请先删除子项" },
  MENU_URI_TAKEN: { status: 200, text: "路径 {uri} 已被“{title}”使用，请换一个" },
  MENU_LOOP: { status: 200, text: "上级菜单不能是自己或自己的下级" },

  CABINET_OFFLINE: { status: 200, text: "设备不在线，指令未发送；设备恢复在线后请重新操作" },
  CABINET_RETIRED: { status: 200, text: "设备已停用，不能再下发指令" },
  COMMAND_IN_FLIGHT: { status: 200, text: "{no} 号格口正在开门，请等待结果" },
  RESTART_IN_FLIGHT: { status: 200, text: "设备正在重启，请等待结果" },
  OPPOSITE_DOOR_OPEN: { status: 200, text: "{no} 号格口的另一面门未关，双面门不能同时打开" },
  COMPARTMENT_OCCUPIED: {
    status: 200,
    text: "{no} 号格口的传感器仍检测到物品：请先取出；若传感器有误，请用盘点更正",
  },
  STATE_NOT_ALLOWED: { status: 200, text: "{what}当前状态为“{state}”，不能{action}" },
  CONFIG_WAITS_FOR_CABINET: {
    status: 200,
    text: "设备不在线；参数会在它下次上线时自动同步，无需重复操作",
  },
  STORE_FOREIGN: { status: 200, text: "所选门店与设备不属于同一租户" },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof errorTable;
export type ErrorFacts = Readonly<Record<string, string | number>>;

/** The Chinese sentence of a refusal, its `{facts}` filled in. */
export function errorText(code: ErrorCode, facts: ErrorFacts = {}): string {
  return errorTable[code].text.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(facts[name] ?? ""),
  );
}
