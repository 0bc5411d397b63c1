// Error table: HTTP status and Chinese sentence of every refusal, by code. The only table of
// messages.
import { inputErrors } from "./input-errors.ts";

interface ErrorEntry {
  /** 200 means envelope code 1: clients of the specification show `errMsg` verbatim. */
  status: number;
  /** Sentence for a person at the console. */
  text: string;
  /**
   * Sentence for programs (open API, app, device), given where `text` names a page of the console.
   */
  apiText?: string;
}

function asTable<Texts extends Record<string, string>>(texts: Texts) {
  const entries = Object.entries(texts).map(([code, text]) => [code, { status: 200, text }]);
  return Object.fromEntries(entries) as Record<keyof Texts, ErrorEntry>;
}

export const errorTable = {
  ...asTable(inputErrors),
  VALIDATION: { status: 200, text: "提交的内容有误，请检查后重试" },
  NOT_FOUND: { status: 200, text: "{what}不存在，或不在您的管理范围内" },
  CONFLICT: {
    status: 200,
    text: "{what}刚刚被修改过，请刷新后重试",
    apiText: "{what}刚刚被修改过，请重新查询后重试",
  },
  EDIT_OUTDATED: {
    status: 200,
    text: "{who}已在您打开页面之后修改过，为免覆盖未作保存；您填写的内容仍在，请先查看最新内容",
    apiText: "{who}已在您读取之后修改过，为免覆盖未作保存：请重新查询后重试",
  },
  STATE_NOT_ALLOWED: { status: 200, text: "{what}当前状态为“{state}”，不能{action}" },
  REASON_REQUIRED: { status: 200, text: "请填写原因，至少 2 个字" },
  DAYS_INVALID: {
    status: 200,
    text: "日期范围不对：结束日期不能早于开始日期，最多 {days} 天",
  },
  MONTH_NOT_BEGUN: { status: 200, text: "{month} 尚未开始：请选择本月或更早的月份" },
  REPEAT_DIFFERS: {
    status: 200,
    text: "同一次提交的内容前后不一致，未作处理：请刷新页面后重新填写",
    apiText: "同一次提交的内容前后不一致，未作处理：请核对后重新提交",
  },
  REPEAT_IN_FLIGHT: { status: 409, text: "同一次提交正在处理，请稍候查看结果，不要重复提交" },
  PRESS_EXPIRED: {
    status: 200,
    text: "操作已过期（超过 {seconds} 秒），未执行，请重新操作",
  },
  PRESS_AHEAD: {
    status: 200,
    text: "这台设备的时钟刚刚变动，操作未执行，请重新操作",
    apiText: "x-pressed-at 晚于服务器的时间，未执行：请按响应里的 x-server-time 校准后重新操作",
  },
  RATE_LIMITED: { status: 429, text: "操作太频繁，请 {seconds} 秒后再试" },
  TENANT_REQUESTS_USED_UP: {
    status: 429,
    text: "本租户每分钟最多 {max} 次请求，现已用完，请 {seconds} 秒后再试；如经常用完，请联系平台",
    apiText: "租户每分钟最多 {max} 次请求，现已用完，请 {seconds} 秒后再试",
  },
  TENANT_CHANNELS_USED_UP: {
    status: 429,
    text: "本租户已打开 {max} 个实时通道，达到上限：请关闭不用的页面，或联系平台",
  },
  BODY_TOO_LARGE: { status: 413, text: "提交的内容过大，请减少后重试" },
  CONTENT_TYPE: { status: 415, text: "不支持的内容类型，应为 {expected}" },
  BAD_REQUEST: { status: 400, text: "请求有误，请检查地址、请求头和内容后重试" },
  REQUEST_TIMEOUT: { status: 408, text: "请求没有按时收完，请重试" },
  HEADERS_TOO_LARGE: { status: 431, text: "请求头过大，请减少后重试" },
  ROUTE_NOT_FOUND: { status: 404, text: "请求不存在：404" },
  CALLER_GONE: { status: 408, text: "请求方已断开连接" },
  OVERLOADED: { status: 503, text: "服务繁忙，请稍后重试" },
  INTERNAL: { status: 500, text: "系统异常，请稍后重试；如仍出现，请把编号 {requestId} 告诉我们" },

  FILE_MISSING: { status: 200, text: "没有收到文件，请选择一个文件后重试" },
  FILE_KIND: { status: 200, text: "不支持这种文件，请上传{accepted}" },
  STORAGE_FULL: {
    status: 200,
    text: "本租户上传的文件已占 {used} MB，上限 {max} MB：请删除不用的广告、图片后重试，或联系平台",
    apiText: "暂时不能上传文件：请不带照片重试，或联系客服",
  },
  FILE_TOO_LARGE: { status: 200, text: "{kind}不能超过 {max}，请压缩后重试" },
  FILE_BROKEN: { status: 200, text: "文件不能使用：{why}" },
  FILE_INCOMPLETE: { status: 200, text: "文件没有传完整，请重新上传" },
  FILE_INFECTED: {
    status: 200,
    text: "文件没有通过病毒扫描（{virus}），没有保存：请检查这台电脑，换一个文件重试",
    apiText: "文件没有通过病毒扫描，没有保存：请换一个文件重试",
  },
  SCAN_UNAVAILABLE: {
    status: 503,
    text: "病毒扫描暂时不可用，文件没有保存：请稍后重试；仍不行请联系平台运维",
    apiText: "暂时不能上传文件：请稍后重试",
  },

  EXPORT_BUSY: { status: 200, text: "正在导出的人较多，请几分钟后再试" },
  EXPORT_LIMIT: { status: 200, text: "您已有 {count} 个导出正在进行，请等它们完成或关闭后再试" },
  TENANT_EXPORTS_USED_UP: {
    status: 200,
    text: "本租户已有 {count} 个导出正在进行，达到上限，请等它们完成后再试",
  },
  EXPORT_GONE: { status: 200, text: "这次导出已过期或已结束，请重新导出" },
  EXPORT_INTERRUPTED: { status: 200, text: "服务在导出途中重启，文件没有生成，请重试" },
  EXPORT_TOO_LARGE: {
    status: 200,
    text: "符合条件的记录超过 {max} 条，一次最多导出 {max} 条：请缩小时间或其他筛选范围，分几次导出",
  },
  EXPORT_FAILED: { status: 200, text: "导出没有完成，文件没有生成，请稍后重试" },

  SIGN_IN_REQUIRED: { status: 401, text: "登录已过期，请重新登录" },
  NO_PERMISSION: {
    status: 403,
    text: "没有权限访问该资源",
    apiText: "应用没有权限 {scope}，请联系租户在“接口应用”里开通",
  },
  FEATURE_OFF: {
    status: 403,
    text: "本租户没有开通“{feature}”，或不在开通的日期内：请联系平台，由平台管理员在“租户管理”里开通",
    apiText: "租户没有开通“{feature}”，或不在开通的日期内：请联系租户，由平台开通",
  },
  VISIT_OWN_TENANT: { status: 200, text: "这是您自己的租户，无需进入" },
  VISIT_READ_ONLY: { status: 403, text: "正在以只读方式查看租户，不能修改：请先退出查看" },
  SESSION_IS_OWN: { status: 200, text: "这是您自己正在使用的会话，请用右上角的“退出登录”" },
  TENANT_MISMATCH: { status: 403, text: "租户与登录账号不一致，请求已拒绝" },
  PASSWORD_CHANGE_REQUIRED: { status: 403, text: "首次登录请先修改密码" },
  TENANT_EXPIRED: { status: 499, text: "租户信息已过期，请联系客服" },
  CAPTCHA_INVALID: { status: 200, text: "人机验证未通过或已过期，请重新验证" },
  CAPTCHA_DUE: { status: 200, text: "请先完成人机验证（请求头 captcha-verification）" },
  CAPTCHA_HARDER: { status: 200, text: "此账号近来登录失败较多，正在加强人机验证，请重试" },
  PHONE_PART_HIDDEN: {
    status: 200,
    text: "请输入完整的手机号或后四位：按其他几位查找，须有查看完整手机号的权限",
  },
  PHONE_SEARCHES_USED_UP: {
    status: 200,
    text: "您 24 小时内已按 {max} 个不同的手机号查找，请 {hours} 小时后再试，或按后四位查找",
  },
  REVEALS_USED_UP: {
    status: 200,
    text: "您 24 小时内已查看 {max} 次完整手机号或取件码，请 {hours} 小时后再试；确有需要时，请管理员在租户其他配置里调整",
  },
  SECOND_FACTOR_DUE: { status: 403, text: "请先完成两步验证" },
  SECOND_FACTOR_MISSING: { status: 403, text: "此账号要求两步验证，请先设置" },
  PROOF_DUE: { status: 403, text: "请再次验证身份后继续" },
  PROOF_WRONG: { status: 200, text: "验证没有通过，请核对后重试" },
  PASSKEY_REFUSED: { status: 200, text: "通行密钥没有通过验证，请重试，或用其他方式" },
  PASSKEY_LIMIT: { status: 200, text: "最多 {max} 个通行密钥，请先删除不用的" },
  TOTP_ALREADY_SET: { status: 200, text: "已经绑定验证器：请先解除绑定，再绑定新的" },
  TOTP_NOT_BEGUN: { status: 200, text: "请重新扫码绑定验证器" },
  SECOND_FACTOR_DEMANDED: {
    status: 200,
    text: "此账号要求两步验证：请先设置另一种方式，再去掉这一种",
  },
  FACTOR_EXEMPTION_DAYS: {
    status: 200,
    text: "两步验证例外的截止日须在今天至 {max} 天之后",
  },
  SECOND_FACTOR_NONE: { status: 200, text: "账号“{name}”没有设置两步验证" },
  CREDENTIALS_WRONG: { status: 200, text: "账号或密码不正确" },
  FIRST_PASSWORD_EXPIRED: { status: 200, text: "初始密码已过期，请联系管理员重置密码" },
  SIGN_IN_THROTTLED: { status: 200, text: "尝试次数过多，请 {seconds} 秒后再试" },
  OLD_PASSWORD_WRONG: { status: 200, text: "原密码不正确" },
  PASSWORD_UNCHANGED: { status: 200, text: "新密码不能与原密码相同" },
  PASSWORD_WEAK: { status: 200, text: "密码过于简单，须满足：{why}" },

  ROLE_NAME_TAKEN: { status: 200, text: "已有名为“{name}”的角色，请换一个名称" },
  ROLE_ABOVE: {
    status: 200,
    text: "角色“{name}”的权限或门店范围超出您自己的，不能{action}：请由权限更高的账号操作",
  },
  ROLE_MEMBERS_CHANGED: {
    status: 200,
    text: "角色“{name}”现有 {count} 名成员，与您看到的不同，未作删除：请刷新后重试",
    apiText: "角色“{name}”现有 {count} 名成员，与您看到的不同，未作删除：请重新查询后重试",
  },
  GRANT_ABOVE: { status: 200, text: "您自己没有“{what}”的权限，不能授予或收回" },
  STORES_ABOVE: {
    status: 200,
    text: "所选门店范围超出您自己可见的门店：请缩小范围，或由权限更高的账号操作",
  },
  STORES_IGNORED: {
    status: 200,
    text: "角色“{role}”的门店范围是全部门店，负责的 {count} 家门店不生效，请清空“负责的门店”，或改选其他角色",
  },
  ADMINISTRATOR_STORES: {
    status: 200,
    text: "管理员可见全部门店：请清空负责的门店",
  },
  DISPLAY_NAME_RESERVED: {
    status: 200,
    text: "“{name}”是系统自己使用的名称，请换一个能认出使用者的名称",
  },
  DISPLAY_NAME_TAKEN: {
    status: 200,
    text: "本租户已有名为“{name}”的账号，请加上部门或编号以便区分，例如“{name}2”",
  },
  USERNAME_TAKEN: { status: 200, text: "账号“{username}”已被使用，请换一个" },
  OPERATOR_LIMIT: {
    status: 200,
    text: "“{tenant}”最多 {max} 个启用的后台账号，现有 {used} 个：请先停用不用的账号，或联系平台提高上限",
  },
  OPERATOR_SELF: { status: 200, text: "不能对您自己的账号{action}，{instead}" },
  OPERATOR_USED: {
    status: 200,
    text: "“{name}”登录使用过，请先停用并写明原因，再删除",
  },
  LAST_ADMINISTRATOR: {
    status: 200,
    text: "“{name}”是最后一个可用的平台管理员，不能{action}：请先新增或启用另一个平台管理员",
  },
  ACCOUNT_ABOVE: {
    status: 200,
    text: "账号“{name}”的权限或门店范围超出您自己的，不能操作：请由权限更高的账号操作",
  },
  OWN_ROLE_MANAGEMENT: {
    status: 200,
    text: "这样会让您自己失去角色管理权限，未作保存：请由其他管理员操作",
  },
  MENU_HAS_CHILDREN: { status: 200, text: "“{title}”下还有 {children} 个子项，请先删除子项" },
  MENU_URI_TAKEN: { status: 200, text: "路径 {uri} 已被“{title}”使用，请换一个" },
  MENU_TARGET_UNKNOWN: {
    status: 200,
    text: "{uri} 没有对应的页面：菜单请填已有页面的路径或 https:// 开头的外部链接，按钮请填“页面路径:按钮名”",
  },
  MENU_LINK_PLACE: {
    status: 200,
    text: "外部链接不能放在“{parent}”下：请放在顶级或菜单分组下",
  },
  MENU_LOOP: { status: 200, text: "上级菜单不能是自己或自己的下级" },

  PARTNER_UNPROVEN: {
    status: 401,
    text: "请求没有通过验证：请核对应用、密钥编号、时间、签名和来源地址；具体原因见管理后台的“调用记录”",
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    text: "缺少 Idempotency-Key：写调用必须带上它，重试时保持不变",
  },
  ORDER_NO_TAKEN: { status: 200, text: "第三方单号 {no} 已有订单，请先查询，或换一个单号" },
  RECIPIENT_LOCKED: { status: 200, text: "收件人已被锁定，暂不能存件：请联系运营方" },
  OPEN_APP_NAME_TAKEN: { status: 200, text: "已有名为“{name}”的应用，请换一个名称" },
  OPEN_APP_LIMIT: {
    status: 200,
    text: "最多 {max} 个接口应用：请先停用不用的应用，再修改它来使用",
  },
  OPEN_KEY_LIMIT: {
    status: 200,
    text: "应用已有两把有效密钥（{kids}）：请先吊销不用的一把，或等旧密钥失效，再轮换",
  },
  CABINET_UNPROVEN: { status: 401, text: "设备身份未通过验证" },
  FILE_NOT_GRANTED: { status: 404, text: "文件不存在，或没有下发给这台设备" },
  CABINET_OFFLINE: { status: 200, text: "设备不在线，指令未发送；恢复在线后请重新操作" },
  BROKER_UNREACHABLE: { status: 200, text: "消息服务中断，指令未发送，请稍后重新操作" },
  CABINET_RETIRED: { status: 200, text: "设备已停用，不能再下发指令" },
  CABINET_HAS_GOODS: {
    status: 200,
    text: "设备内还有物品或预约（{nos} 号格口），不能停用：请先取出物品并清柜",
  },
  CONFIG_WAITS_FOR_CABINET: {
    status: 200,
    text: "设备不在线；参数会在它下次上线时自动同步，无需重复操作",
  },
  SECRET_LIMIT: {
    status: 200,
    text: "设备已有两把有效密钥（{kids}）：请先吊销不用的一把，或等旧密钥失效，再轮换",
  },
  SIMULATOR_GONE: { status: 200, text: "模拟柜机没有在运行，请先启动模拟器" },
  DOOR_IS_SHUT: { status: 200, text: "箱门关着，不能放入或取出物品" },
  COMMAND_IN_FLIGHT: { status: 200, text: "{no} 号格口正在开门，请等待结果" },
  RESTART_IN_FLIGHT: { status: 200, text: "设备正在重启，请等待结果" },
  OPPOSITE_DOOR_UNKNOWN: {
    status: 200,
    text: "{no} 号格口{side}门的状态未知，双面门不能同时打开：请现场确认{side}门已关好，待门磁上报“已关”后再开",
  },
  OPPOSITE_DOOR_OPEN: { status: 200, text: "{no} 号格口的另一面门未关，双面门不能同时打开" },
  COMPARTMENT_OCCUPIED: {
    status: 200,
    text: "{no} 号格口的传感器仍检测到物品：请先取出；若传感器有误，请用盘点更正",
  },

  MALFUNCTION_NOT_NOW: { status: 200, text: "故障 #{id}：{why}" },
  MALFUNCTION_OPEN_ALREADY: {
    status: 200,
    text: "同一位置已有一条未完结的同类故障（#{id}），请在那一条上继续处理",
  },

  MODEL_NAME_TAKEN: { status: 200, text: "设备型号“{name}”已经存在，请换一个名称" },
  MODEL_IN_USE: { status: 200, text: "“{name}”正被 {count} 台设备使用，不能删除" },
  MODEL_SIDE_IN_USE: { status: 200, text: "该类型正被 {count} 台设备使用，不能更改单双面" },
  MODEL_COMPARTMENTS_IN_USE: {
    status: 200,
    text: "要删除的格口里还有物品或指令，请先取出或清柜：{where}",
  },

  STOCK_SN_TAKEN: { status: 200, text: "设备编号 {sn} 不能登记：{why}" },
  STOCK_HAS_HISTORY: {
    status: 200,
    text: "设备 {sn} 已有{what}，不能收回：请改为停用该设备",
  },
  ACTIVATION_REFUSED: {
    status: 403,
    text: "激活未成功：请核对设备编号和激活码；激活码可能已过期或已使用，设备也可能尚未分配，请联系平台",
  },

  FAQ_CATEGORY_TAKEN: { status: 200, text: "已有名为“{name}”的分类，请换一个名称" },
  FAQ_CATEGORY_USED: {
    status: 200,
    text: "分类“{name}”下还有 {count} 个问题，请先移到其他分类或删除",
  },

  TENANT_NAME_TAKEN: { status: 200, text: "已有名为“{name}”的租户，请换一个名称" },
  TENANT_IS_PLATFORM: { status: 200, text: "平台自身不能{action}" },
  TENANT_NOT_EMPTY: { status: 200, text: "“{name}”还不能删除：{remains}" },
  CABINET_LIMIT: {
    status: 200,
    text: "租户“{name}”已有 {count} 台设备，上限 {max} 台，最多还能分配 {room} 台：请减少选择，或先提高上限",
  },

  MAP_UNREACHABLE: { status: 502, text: "地图服务暂时没有回应，请稍后重试" },
  STORE_CODE_TAKEN: {
    status: 200,
    text: "编码 {code} 已被门店“{name}”使用，请换一个，例如 {free}",
  },
  STORE_HAS_CABINETS: {
    status: 200,
    text: "“{name}”里还有 {count} 台设备（{cabinets}），不能删除：请先在设备列表按此门店筛选，用“分配门店”或“移出门店”移走它们",
  },
  STORE_FOREIGN: { status: 200, text: "所选门店与设备不属于同一租户" },

  FIRMWARE_FILE_TAKEN: { status: 200, text: "这个文件已经登记为固件，请重新上传" },
  FIRMWARE_KEY_MISSING: {
    status: 200,
    text: "型号“{model}”未登记厂家公钥，无法验证签名，请先在“厂家公钥”中登记",
  },
  FIRMWARE_SIGNATURE_WRONG: {
    status: 200,
    text: "签名与型号“{model}”的厂家公钥不符：请核对文件、签名，以及厂家是否用了对应的私钥",
  },
  FIRMWARE_VERSION_TAKEN: {
    status: 200,
    text: "型号“{model}”已有版本 {version}：一个版本号只能对应一个固件，请换一个版本号",
  },
  FIRMWARE_WITHDRAWN: { status: 200, text: "该固件已被撤回，不能继续下发：请改用其他版本新建任务" },
  MAKER_KEY_INVALID: {
    status: 200,
    text: "公钥无法识别：应为 Ed25519 公钥的 PEM 文本，以 -----BEGIN PUBLIC KEY----- 开头",
  },
  ROLLOUT_EMPTY: {
    status: 200,
    text: "没有可以下发的设备：请放宽选择范围，或等待这些设备的其他任务结束",
  },
  ROLLOUT_NOTHING: {
    status: 200,
    text: "{why}，请刷新后查看最新进展",
    apiText: "{why}，请重新查询最新进展",
  },
  ADVERT_TOO_MANY: {
    status: 200,
    text: "设备“{cabinet}”上架中的广告将达到 {count} 个，最多 20 个：请先下架一些，或缩小投放范围",
  },

  CABINET_TAKES_NO_ORDERS: { status: 200, text: "{why}，暂不能存件：请换一台设备" },
  NO_FREE_COMPARTMENT: {
    status: 200,
    text: "没有空闲的{size}格口：请换一种大小，或换一台设备",
  },
  APP_RESERVATIONS_FULL: {
    status: 200,
    text: "本应用在这台设备上预约而未存入的{size}格口已有 {max} 个，达到上限：请等存入、取消或预约到期后再试，或换一台设备",
  },
  ORDER_OWES: { status: 200, text: "取件需支付 {owed} 元：请登录后支付取件" },
  ORDER_NOT_CANCELLABLE: { status: 200, text: "现在不能取消：{why}" },
  ORDER_IN_DOUBT: {
    status: 200,
    text: "上一次开门的结果还不知道：请先看箱门，没有打开再开一次，或联系客服核实",
  },
  RECIPIENT_NOT_CHANGEABLE: { status: 200, text: "不能更正取件人：{why}" },
  CODE_NOT_SENDABLE: {
    status: 200,
    text: "未开通短信通道，新取件码发不到手机：没有更换，原取件码仍有效。请核实身份后“查看取件码”告知，或直接“开门”",
    apiText: "没有能送达取件人的通道，取件码没有更换：原取件码仍有效",
  },
  ORDER_NOT_IN_DOUBT: {
    status: 200,
    text: "开门结果已经确认，无需核实：请刷新后查看",
    apiText: "开门结果已经确认，无需核实：请重新查询",
  },
  CHARGE_TOO_MUCH: { status: 200, text: "收取金额不能超过待付的 {max} 元" },
  REFUND_TOO_MUCH: { status: 200, text: "退款不能超过已付未退的 {max} 元" },
  REPLAY_TOO_LARGE: {
    status: 200,
    text: "所选范围内超过 {max} 单，请缩短日期或选择一家门店后再试算",
  },

  CODE_THROTTLED: { status: 429, text: "获取验证码太频繁，请 {seconds} 秒后再试" },
  CODES_USED_UP: {
    status: 429,
    text: "本运营商一小时内的短信验证码已发完，请 {seconds} 秒后再试，或用微信登录",
  },
  SIGN_IN_CODE_WRONG: { status: 200, text: "验证码不正确或已过期，请核对或重新获取" },
  DEPOSITS_UNFINISHED: {
    status: 200,
    text: "您有 {count} 笔存件还没有完成：请放入物品并关好箱门，或取消后再存",
  },
  END_USER_LOCKED: {
    status: 403,
    text: "您的账号已被锁定，暂不能存件和购买套餐；柜内的物品仍可取出，请联系客服",
  },
  TENANT_CLOSED: {
    status: 200,
    text: "本运营商已暂停服务，暂不能存件、购买套餐和新注册；柜内的物品仍可取出，请联系客服",
  },
  TOP_UP_CLOSED: {
    status: 200,
    text: "{why}，现在只能充值待支付的费用，最多 {max} 元",
  },
  TOP_UP_NEEDLESS: { status: 200, text: "{why}，没有待支付的费用，不用充值" },
  END_USER_HAS_LEFTOVERS: {
    status: 200,
    text: "“{who}”还有{what}，不能删除：请先处理完再删除",
  },
  ACCOUNT_HAS_LEFTOVERS: {
    status: 200,
    text: "您还有{what}，暂不能注销：处理完后再试，或联系客服",
  },
  SMS_FORGOTTEN: { status: 200, text: "收信的用户已注销，短信原文已随其个人资料删除" },
  TAG_NAME_TAKEN: { status: 200, text: "已有标签“{name}”，请换一个名称" },
  NOTE_LIMIT: { status: 200, text: "一个用户最多 {max} 条备注，请先删除不用的" },
  NOTE_OF_ANOTHER: {
    status: 403,
    text: "这条备注由“{who}”添加；您只管理部分门店，只能删除自己的备注",
  },
  TAG_LIMIT: { status: 200, text: "{what}最多 {max} 个标签，请先去掉不用的" },
  WECHAT_CODE_WRONG: { status: 200, text: "微信登录已失效，请重新登录" },
  PHONE_CODE_WRONG: { status: 200, text: "没有取得您的手机号，请重新授权手机号登录" },
  PHONE_NOT_MAINLAND: { status: 200, text: "请授权中国大陆的手机号登录" },
  WECHAT_USER_RISKY: {
    status: 403,
    text: "微信判定您的微信账号有风险，暂不能登录；请用手机号和验证码登录",
  },
  WECHAT_SIGN_IN_OFF: { status: 200, text: "微信登录暂不可用，请用手机号和验证码登录" },
  WECHAT_BUSY: { status: 503, text: "微信繁忙，请稍后重试，或用手机号和验证码登录" },
  OPENID_UNKNOWN: {
    status: 200,
    text: "请先在微信小程序中用微信登录再充值，或用手机浏览器打开网页版充值",
  },
  PICKUP_CODE_WRONG: {
    status: 200,
    text: "取件码或手机号后四位不正确，请核对短信和柜机编号后重试",
  },
  PICKUP_PHONE_DUE: {
    status: 200,
    text: "此手机号后四位近来输错次数较多：请输入完整手机号，或登录后在订单里取件",
  },
  PICKUP_BLOCKED: {
    status: 429,
    text: "取件码错误次数过多，请 {seconds} 秒后再试，或登录后在订单里取件",
  },
  PRICING_RATES_INVALID: { status: 200, text: "按规格、时段的价格：{problem}" },
  PRICING_CHANGED: { status: 200, text: "收费已变为：{pricing}。请确认后重试" },
  PAYMENT_UNAGREED: { status: 200, text: "取件需支付 {owed} 元：请确认金额后重试" },
  WEB_PAGE_UNKNOWN: {
    status: 200,
    text: "没有找到{what}：请重新扫描柜机上的二维码，核对柜机上的编号，或改用微信小程序",
  },
  REPORTS_USED_UP: {
    status: 429,
    text: "您 24 小时内已报修 {max} 次，请 {hours} 小时后再试；急事请拨打客服电话",
  },
  REPORT_PHOTOS_USED_UP: {
    status: 429,
    text: "您 24 小时内已上传 {max} 张照片，请 {hours} 小时后再试，或不带照片报修",
  },

  BALANCE_SHORT: {
    status: 200,
    text: "余额不足：需要 {need} 元，可用 {available} 元，请先充值",
  },
  BALANCE_PART_SHORT: {
    status: 200,
    text: "{part}余额不足：需要 {need} 元，可用 {available} 元",
  },
  AMOUNT_UNCONFIRMED: {
    status: 200,
    text: "金额较大，请在“确认金额”中再填写一次合计 {amount} 元",
  },
  HOLD_PENDING: { status: 200, text: "该订单有一笔支付正在处理，请等待开门结果后再试" },
  REVIEW_REQUESTED: {
    status: 200,
    text: "已提交，待复核：24 小时内由另一人在“消息中心”同意后生效，逾期作废",
  },
  REVIEW_OWN: { status: 200, text: "不能复核自己提交的操作（同一手机号的账号视为同一人）" },
  REVIEW_OUTDATED: {
    status: 200,
    text: "提交之后情况有变，执行的金额会与申请不同，未执行：请拒绝后由提交人重新提交",
  },
  REVIEW_FAILED: { status: 200, text: "这笔操作现在不能执行：{why}" },
  JOURNAL_TAKEN: {
    status: 200,
    text: "这笔业务已按不同的金额入账，未重复处理：请刷新后核对",
    apiText: "这笔业务已按不同的金额入账，未重复处理：请重新查询后核对",
  },
  PACKAGE_NAME_TAKEN: { status: 200, text: "已有名为“{name}”的套餐，请换一个名称" },
  PACKAGE_NOT_ON_SALE: {
    status: 200,
    text: "该套餐已下架或不存在，请刷新后重新选择",
    apiText: "该套餐已下架或不存在，请重新选择",
  },
  PACKAGE_PRICE_RAISED: {
    status: 200,
    text: "该套餐的售价已变为 {price} 元，没有扣款：请确认新的售价后重试",
  },

  PAYMENT_NOT_SET: { status: 200, text: "未配置微信支付，请先填写并保存，再验证" },
  MERCHANT_BUSY: {
    status: 200,
    text: "原商户号还有 {count} 笔充值或退款没有结果：请先关闭在线充值，等它们有了结果再更换商户号",
  },
  MINI_PROGRAM_NOT_SET: { status: 200, text: "未配置小程序，请先填写并保存，再验证" },
  NO_SUBSCRIBER: {
    status: 200,
    text: "该手机号未使用微信登录过小程序，无法接收订阅消息，请先登录小程序并同意订阅",
  },
  TOP_UP_OFFLINE: { status: 200, text: "暂未开通在线充值，请联系运营人员充值" },
  TOP_UP_REFUND_TOO_MUCH: {
    status: 200,
    text: "最多可退 {max} 元：其余部分已经花费、冻结或退回",
  },
  TOP_UP_REFUND_UNSET: {
    status: 200,
    text: "没有微信支付配置，不能原路退款：请先在“应用配置 › 支付配置”中填写",
  },
  RECONCILIATION_RUNNING: { status: 200, text: "{day} 正在对账，请稍候查看结果" },
  RECONCILIATION_DAY: { status: 200, text: "只能核对今天及以前一年内的日期" },
  SMS_CREDIT_USED: {
    status: 200,
    text: "该租户只剩 {left} 条可用，不足以撤回 {segments} 条：已经使用或冻结的不能撤回",
  },
  SMS_NOT_RESENDABLE: { status: 200, text: "这条短信不能重发：{why}" },
  SMS_CHANNEL_NOT_SET: { status: 200, text: "未配置短信通道，请先填写并保存，再验证" },
  NOBODY_TO_NOTIFY: { status: 200, text: "没有要通知的取件人：柜内没有物品，或都已通知" },
  NOTICE_NOT_SENDABLE: {
    status: 200,
    text: "未开通短信通道，通知发不到手机：请先在“短信管理”中开通，或电话告知取件人",
  },
  NOBODY_TO_TELL: {
    status: 200,
    text: "没有人会收到：请先在规则里选择接收人，或为门店指定运维人员、负责人",
  },
  ALL_STORES_REQUIRED: {
    status: 403,
    text: "{what}对所有门店生效，而您只管理部分门店：请由管理全部门店的账号修改",
  },
  CALLBACK_LIMIT: {
    status: 200,
    text: "最多 {max} 个回调地址：请先删除不用的，或在已有的地址上增加事件",
  },
  CALLBACK_NAME_TAKEN: { status: 200, text: "已有名为“{name}”的回调地址，请换一个名称" },
  CALLBACK_SECRET_LIMIT: {
    status: 200,
    text: "已有两把有效密钥：请等旧密钥失效后再轮换；密钥已泄露时请选择“立即替换”",
  },
  CALLBACK_ADDRESS_MISSING: {
    status: 200,
    text: "应用没有启用中的回调地址：请租户登记或启用之后再重新推送",
  },
  CALLBACK_REPLAY_TOO_LARGE: {
    status: 200,
    text: "所选时间内超过 {max} 条：请缩短时间，分几次重新推送",
  },
  DIFFERENCE_NOT_CREDITABLE: {
    status: 200,
    text: "这项差异不能补记入账：充值单已不在关闭状态，或金额不同；请刷新后重新查看",
    apiText: "这项差异不能补记入账：充值单已不在关闭状态，或金额不同；请重新查询",
  },
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;
export type ErrorFacts = Readonly<Record<string, string | number>>;

/** Reader of the sentence: a person at the console, or a program that calls the API. */
export type Audience = "console" | "api";

/** Returns the Chinese sentence of a refusal with its `{facts}` filled in. */
export function errorText(
  code: ErrorCode,
  facts: ErrorFacts = {},
  audience: Audience = "console",
): string {
  const { text, apiText = text }: ErrorEntry = errorTable[code];
  const sentence = audience === "api" ? apiText : text;
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ""));
}

/** Path of a code's explanation in the API reference that needs no account. */
export function errorUrl(code: ErrorCode): string {
  return `/doc/sdk?view=api#error.${code}`;
}
