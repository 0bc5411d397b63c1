// Route table (specification §2) as data: source of the console's pages and menu and of the
// server's menu seed.
import type { Access } from "../../kit/endpoint.ts";
import type { RouteEntry } from "./route-entry.rules.ts";

// The functions preserve literal types: `PageKey` is derived from them.

function group<const Path extends string, const Children extends readonly RouteEntry[]>(
  path: Path,
  title: string,
  icon: string,
  children: Children,
) {
  return { path, title, icon, redirect: "noRedirect" as const, children };
}

function hiddenPage<const Path extends string>(
  path: Path,
  title: string,
  under: string,
  access?: Access,
) {
  return { path, title, hidden: true as const, under, ...(access && { access }) };
}

/**
 * Page of maintenance or operator accounts; both have the same buttons for accounts, roles and
 * stores.
 */
function accountsPage<const Path extends string>(path: Path, title: string, what: string) {
  return {
    path,
    title,
    permissions: ["operator:read", "store:read"],
    buttons: [{ key: "write", title: `管理${what}`, permissions: ["operator:write"] }],
  };
}

/** Pages of one side: single- and double-sided cabinets share them under two base paths. */
function operations<const Base extends string>(base: Base, title: string, icon: string) {
  const pages = [
    {
      path: `${base}/index`,
      title: "数据概览",
      viewLabel: "经营概览",
      views: [
        { view: "sizes", title: "格口配比" },
        { view: "pricing", title: "计价试算", access: "pricing:simulate" },
      ],
      permissions: ["statistics:read"],
      buttons: [{ key: "pricing", title: "计价试算", permissions: ["pricing:simulate"] }],
    },
    {
      path: `${base}/rider/order`,
      title: "订单列表",
      permissions: ["order:read", "store:read", "command:read"],
      buttons: [
        { key: "open", title: "订单开门", permissions: ["order:open"] },
        { key: "write", title: "处理订单", permissions: ["order:write"] },
        { key: "refund", title: "订单退款", permissions: ["order:refund"] },
      ],
    },
    {
      path: `${base}/template`,
      title: "消息模板配置",
      permissions: ["template:read"],
      buttons: [{ key: "write", title: "修改消息模板与测试发送", permissions: ["template:write"] }],
    },
    hiddenPage(`${base}/pay/mealAdd`, "套餐设置", `${base}/pay/payList`, "package:write"),
    group(`${base}/pay`, "账户管理", "money", [
      {
        path: `${base}/pay/payList`,
        title: "套餐管理",
        viewLabel: "套餐",
        views: [{ view: "cards", title: "套餐购买记录", label: "购买记录" }],
        permissions: ["package:read"],
        buttons: [{ key: "write", title: "编辑套餐", permissions: ["package:write"] }],
      },
      {
        path: `${base}/pay/payRecord`,
        title: "交易记录",
        views: [{ view: "reconciliation", title: "对账", access: "reconciliation:read" }],
        permissions: ["ledger:read"],
        buttons: [
          { key: "reconciliation", title: "查看对账", permissions: ["reconciliation:read"] },
          { key: "reconcile", title: "处理对账差异", permissions: ["reconciliation:write"] },
        ],
      },
      {
        path: `${base}/pay/statement`,
        title: "月结单",
        permissions: ["statement:read", "store:read"],
      },
      {
        path: `${base}/pay/topUp`,
        title: "余额充值",
        viewLabel: "用户钱包",
        views: [{ view: "topUps", title: "充值记录" }],
        permissions: ["wallet:read"],
        buttons: [
          { key: "write", title: "充值与调整余额", permissions: ["wallet:write"] },
          { key: "refund", title: "充值退款", permissions: ["top-up:refund"] },
        ],
      },
    ]),
  ] as const satisfies readonly RouteEntry[];
  // Keeps the parent in the menu even with one page: it names the side that the page is about.
  return { ...group(base, title, icon, pages), alwaysShow: true as const };
}

const pages = [
  { path: "/dashboard", title: "首页", name: "deliver", icon: "home", affix: true },
  {
    path: "/largeScreen",
    title: "数据大屏",
    icon: "screen",
    isFullScreen: true,
    permissions: ["statistics:read"],
  },
  group("/cupboard", "设备管理", "cabinet", [
    {
      path: "/cupboard/index",
      title: "设备列表",
      viewLabel: "设备",
      views: [
        { view: "ranking", title: "设备排行", access: "statistics:read" },
        { view: "rollouts", title: "下发任务", access: "rollout:read" },
      ],
      permissions: [
        "cabinet:read",
        "store:read",
        "compartment:read",
        "command:read",
        "cabinet-event:read",
      ],
      buttons: [
        { key: "write", title: "编辑设备", permissions: ["cabinet:write"] },
        { key: "pricing", title: "计费规则", permissions: ["pricing:write"] },
        { key: "open", title: "远程开门", permissions: ["command:open"] },
        { key: "restart", title: "重启设备", permissions: ["command:restart"] },
        { key: "compartment", title: "停用格口", permissions: ["compartment:write"] },
        { key: "advert", title: "查看广告", permissions: ["advert:read"] },
        { key: "advertWrite", title: "管理广告", permissions: ["advert:write"] },
        { key: "clear", title: "清柜与盘点", permissions: ["compartment:clear"] },
        { key: "rollout", title: "查看下发任务", permissions: ["rollout:read"] },
        { key: "rollout-write", title: "管理下发任务", permissions: ["rollout:write"] },
      ],
    },
    {
      path: "/cupboard/ModelList",
      title: "设备型号",
      views: [{ view: "firmware", title: "固件", access: "rollout:read" }],
      permissions: ["cabinet-model:read"],
    },
    hiddenPage("/cupboard/blockManage", "格口管理", "/cupboard/index"),
    {
      ...hiddenPage("/cupboard/simulated", "模拟柜机", "/cupboard/index"),
      isFullScreen: true as const,
    },
    hiddenPage("/cupboard/cupboardEdit", "编辑设备", "/cupboard/index", "cabinet:write"),
    hiddenPage("/cupboard/ModelAdd", "新增设备型号", "/cupboard/ModelList", "platform"),
    hiddenPage("/cupboard/banner", "广告管理", "/cupboard/index", "advert:read"),
    hiddenPage("/cupboard/record", "操作日志", "/cupboard/index"),
    hiddenPage("/cupboard/log", "设备状态日志", "/cupboard/index"),
    {
      path: "/point/index",
      title: "门店列表",
      permissions: ["store:read"],
      buttons: [{ key: "write", title: "编辑门店", permissions: ["store:write"] }],
    },
    hiddenPage("/point/pointEdit", "新增门店", "/point/index", "store:write"),
  ]),
  operations("/cupboardRun", "单面设备运营", "single"),
  operations("/userApplet", "双面设备运营", "double"),
  group("/smsManage", "短信管理", "message", [
    {
      path: "/smsManage/synopsis",
      title: "统计概览",
      views: [{ view: "channel", title: "短信通道", access: "platform" }],
      permissions: ["sms-credit:read"],
    },
    {
      path: "/smsManage/index",
      title: "充值明细",
      views: [{ view: "entries", title: "短信条数变动", label: "条数变动" }],
      permissions: ["sms-credit:read"],
    },
    {
      path: "/smsManage/send",
      title: "通知记录",
      viewLabel: "短信",
      views: [{ view: "subscribe", title: "订阅消息" }],
      permissions: ["sms:read"],
      buttons: [
        { key: "reveal", title: "查看短信原文", permissions: ["sms:reveal"] },
        { key: "send", title: "重发短信", permissions: ["sms:send"] },
      ],
    },
  ]),
  group("/malfunction", "设备维护", "repair", [
    {
      path: "/malfunction/index",
      title: "故障处理",
      icon: "repair",
      permissions: ["malfunction:read"],
      buttons: [
        { key: "write", title: "登记与处理故障", permissions: ["malfunction:write"] },
        { key: "assign", title: "派单与处理时限", permissions: ["malfunction:assign"] },
      ],
    },
    hiddenPage("/malfunction/incident", "故障详情", "/malfunction/index"),
  ]),
  group("/idConfig", "应用配置", "app", [
    {
      path: "/idConfig/wechat",
      title: "小程序配置",
      permissions: ["mini-program:read"],
      buttons: [{ key: "write", title: "修改小程序配置", permissions: ["mini-program:write"] }],
    },
    {
      path: "/idConfig/pay",
      title: "支付配置",
      permissions: ["payment:read"],
      buttons: [{ key: "write", title: "修改支付配置", permissions: ["payment:write"] }],
    },
    {
      path: "/idConfig/page",
      title: "网页版",
      permissions: ["web-page:read", "store:read"],
      buttons: [
        { key: "write", title: "开通与关闭网页版、发布协议", permissions: ["web-page:write"] },
      ],
    },
  ]),
  group("/user", "用户管理", "user", [
    {
      path: "/user/normalUser",
      title: "用户列表",
      viewLabel: "用户",
      views: [{ view: "tags", title: "用户标签", label: "标签" }],
      permissions: ["end-user:read"],
      buttons: [
        { key: "write", title: "锁定、标签、备注与删除用户", permissions: ["end-user:write"] },
        { key: "reveal", title: "查看完整手机号", permissions: ["end-user:reveal"] },
      ],
    },
    accountsPage("/user/userAdmin", "运维人员", "运维人员"),
    accountsPage("/user/operationAdmin", "运营人员", "运营人员"),
  ]),
  group("/register", "租户管理", "tenant", [
    { path: "/register/deviceList", title: "新设备" },
    { path: "/register/cabinetService", title: "设备服务" },
    hiddenPage("/register/record", "操作记录", "/register/cabinetService"),
    { path: "/register/index", title: "租户列表" },
    hiddenPage("/register/registerAdd", "新增租户", "/register/index"),
    hiddenPage("/register/viewSms", "查看短信", "/register/index"),
  ]),
  group("/set", "系统设置", "setting", [
    {
      path: "/set/role",
      title: "角色管理",
      views: [{ view: "edit", title: "编辑角色", access: "role:write", isUnlisted: true }],
      permissions: ["role:read"],
      buttons: [{ key: "write", title: "编辑角色", permissions: ["role:write"] }],
    },
    { path: "/set/power", title: "权限列表" },
    {
      path: "/set/maintenance",
      title: "维护消息配置",
      viewLabel: "通知规则",
      views: [{ view: "notices", title: "维护消息发送记录", label: "发送记录" }],
      permissions: ["maintenance-message:read", "store:read"],
      buttons: [
        { key: "write", title: "修改维护消息规则", permissions: ["maintenance-message:write"] },
      ],
    },
    {
      path: "/set/otherConfig",
      title: "租户其他配置",
      permissions: ["tenant-setting:read"],
      buttons: [{ key: "write", title: "修改租户其他配置", permissions: ["tenant-setting:write"] }],
    },
    { path: "/set/audit", title: "操作审计", permissions: ["audit:read"] },
    {
      path: "/set/loginLog",
      title: "登录日志",
      views: [{ view: "sessions", title: "在线会话" }],
      permissions: ["login-log:read", "session:read"],
      buttons: [{ key: "end", title: "强制下线", permissions: ["session:write"] }],
    },
    {
      path: "/set/secretKey/cupboardKey",
      title: "设备接口密钥",
      permissions: ["cabinet-secret:read"],
      buttons: [{ key: "write", title: "轮换与吊销密钥", permissions: ["cabinet-secret:write"] }],
    },
  ]),
  group("/thirdPartApi", "第三方接口", "api", [
    {
      path: "/thirdPartApi/set",
      title: "回调地址",
      views: [{ view: "apps", title: "接口应用" }],
      permissions: ["callback:read", "open-app:read"],
      buttons: [
        { key: "callback", title: "管理回调地址", permissions: ["callback:write"] },
        { key: "app", title: "管理接口应用和密钥", permissions: ["open-app:write"] },
      ],
    },
    {
      path: "/thirdPartApi/record",
      title: "调用记录",
      viewLabel: "回调记录",
      views: [
        { view: "calls", title: "第三方调用", label: "第三方调用" },
        { view: "debug", title: "签名调试" },
      ],
      permissions: ["callback:read", "open-call:read", "open-app:read"],
      buttons: [{ key: "replay", title: "重新推送回调", permissions: ["callback:replay"] }],
    },
    {
      path: "/thirdPartApi/order",
      title: "业务订单",
      permissions: ["business-order:read", "open-app:read"],
    },
  ]),
  group("/inform", "公告", "notice", [
    {
      path: "/inform/index",
      title: "公告列表",
      permissions: ["announcement:read"],
      buttons: [{ key: "write", title: "编写与发布公告", permissions: ["announcement:write"] }],
    },
    hiddenPage("/inform/edit", "编辑公告", "/inform/index", "announcement:write"),
  ]),
  group("/faq", "常见问题", "faq", [
    {
      path: "/faq/index",
      title: "问题列表",
      viewLabel: "问题",
      views: [
        { view: "categories", title: "常见问题分类", label: "分类" },
        { view: "platform", title: "平台常见问题", label: "平台问题" },
      ],
      permissions: ["faq:read"],
      buttons: [{ key: "write", title: "编辑常见问题", permissions: ["faq:write"] }],
    },
    hiddenPage("/faq/faqEdit", "编辑问题", "/faq/index", "faq:write"),
  ]),
  {
    ...group("/settings", "个人设置", "user", [
      { path: "/settings/index", title: "账号与偏好" },
      { path: "/settings/notice", title: "收到的公告" },
      { path: "/settings/help", title: "使用帮助" },
      { path: "/settings/review", title: "资金复核", showMenu: -1 as const },
    ]),
    forEveryone: true,
  },
] as const satisfies readonly RouteEntry[];

type KeyOf<Entry> = Entry extends { children: readonly (infer Child)[] }
  ? KeyOf<Child>
  : Entry extends { path: infer Path extends string }
    ?
        | Path
        | (Entry extends { views: readonly { view: infer View extends string }[] }
            ? `${Path}?view=${View}`
            : never)
    : never;

/** Address of each page: `/cupboard/index`, `/cupboard/index?view=rollouts`. */
export type PageKey = KeyOf<(typeof pages)[number]>;

/** All pages behind the sign-in, in menu order. */
export const routeTable: readonly RouteEntry[] = pages;

/** Paths that need no grant. */
export const pathsForEveryone: ReadonlySet<string> = new Set(
  routeTable.flatMap((entry) =>
    entry.forEveryone ? [entry.path, ...(entry.children ?? []).map(({ path }) => path)] : [],
  ),
);
