// The views of one page, told apart by `?view=` in the URL; going to another leaves its filters behind.
import { useSearchParams } from "react-router";
import { useIsPlatform, usePermission, usePermissions } from "../kit/permission.ts";
import { ChoiceBar } from "./choice-bar.tsx";
import "./view-switch.css";

interface ViewSwitchProps {
  label: string;
  /** The first one is the page itself, its word empty. */
  views: readonly (readonly [view: string, title: string])[];
}

function ViewSwitch({ label, views }: ViewSwitchProps) {
  const [params, setParams] = useSearchParams();
  return (
    <div className="ui-view-switch">
      <ChoiceBar
        label={label}
        choices={views}
        chosen={params.get("view") ?? ""}
        onChoose={(view) => setParams(view ? { view } : {})}
      />
    </div>
  );
}

const cabinetViews = [
  ["", "设备"],
  ["rollouts", "下发任务"],
] as const;

/** Above 设备列表 and its roll-outs. */
export function CabinetViews() {
  if (!usePermission("rollout:read")) return null;
  return <ViewSwitch label="切换设备与下发任务" views={cabinetViews} />;
}

const topUpViews = [
  ["", "用户钱包"],
  ["topUps", "充值记录"],
] as const;

/** Above 余额充值 and the top-ups that there were. */
export function TopUpViews() {
  return <ViewSwitch label="切换用户钱包与充值记录" views={topUpViews} />;
}

const journalViews = [
  ["", "交易记录"],
  ["reconciliation", "对账"],
] as const;

/** Above 交易记录 and what does not agree with it. */
export function JournalViews() {
  if (!usePermission("reconciliation:read")) return null;
  return <ViewSwitch label="切换交易记录与对账" views={journalViews} />;
}

const loginLogViews = [
  ["", "登录日志"],
  ["sessions", "在线会话"],
] as const;

/** Above 登录日志 and who is signed in now. */
export function LoginLogViews() {
  return <ViewSwitch label="切换登录日志与在线会话" views={loginLogViews} />;
}

const packageViews = [
  ["", "套餐"],
  ["cards", "购买记录"],
] as const;

/** Above 套餐管理 and what people bought. */
export function PackageViews() {
  return <ViewSwitch label="切换套餐与购买记录" views={packageViews} />;
}

const modelViews = [
  ["", "设备类型"],
  ["firmware", "固件"],
] as const;

/** Above 设备类型 and their firmware. */
export function ModelViews() {
  if (!usePermission("rollout:read")) return null;
  return <ViewSwitch label="切换设备类型与固件" views={modelViews} />;
}

const smsFigureViews = [
  ["", "统计概览"],
  ["channel", "短信通道"],
] as const;

/** Above 统计概览 of text messages and the carrier that sends them, which is the platform's. */
export function SmsFigureViews() {
  if (!useIsPlatform()) return null;
  return <ViewSwitch label="切换统计概览与短信通道" views={smsFigureViews} />;
}

const smsCreditViews = [
  ["", "充值明细"],
  ["entries", "条数变动"],
] as const;

/** Above 充值明细 and each change of what is left. */
export function SmsCreditViews() {
  return <ViewSwitch label="切换充值明细与条数变动" views={smsCreditViews} />;
}

const endUserViews = [
  ["", "用户"],
  ["tags", "标签"],
] as const;

/** Above 用户列表 and the tags that they have. */
export function EndUserViews() {
  return <ViewSwitch label="切换用户与标签" views={endUserViews} />;
}

const maintenanceViews = [
  ["", "通知规则"],
  ["notices", "发送记录"],
] as const;

/** Above 维护消息配置 and what was told by it. */
export function MaintenanceViews() {
  return <ViewSwitch label="切换通知规则与发送记录" views={maintenanceViews} />;
}

const faqViews = [
  ["", "问题"],
  ["categories", "分类"],
  ["platform", "平台问题"],
] as const;

/** Above 问题列表, the categories, and what the platform answers. */
export function FaqViews() {
  return <ViewSwitch label="切换问题、分类与平台问题" views={faqViews} />;
}

const callbackViews = [
  ["", "回调地址"],
  ["apps", "接口应用"],
] as const;

/** Above 回调地址 and the third parties that call us. */
export function CallbackViews() {
  return <ViewSwitch label="切换回调地址与接口应用" views={callbackViews} />;
}

const callViews = [
  ["", "回调记录"],
  ["calls", "对方调用"],
  ["debug", "签名调试"],
] as const;

/** Above what we told third parties, what they asked, and a look at a signature. */
export function CallViews() {
  return <ViewSwitch label="切换回调记录、对方调用与签名调试" views={callViews} />;
}

/** Above 数据概览, how full cabinets are, and what other prices would have brought. */
export function OverviewViews() {
  const may = usePermissions();
  const views = [
    ["", "经营概览"] as const,
    ["sizes", "格口配比"] as const,
    ...(may("pricing:simulate") ? [["pricing", "计价试算"] as const] : []),
  ];
  return <ViewSwitch label="切换数据概览" views={views} />;
}

const smsViews = [
  ["", "短信"],
  ["subscribe", "订阅消息"],
] as const;

/** Above 通知记录 and what went by WeChat. */
export function SmsViews() {
  return <ViewSwitch label="切换短信与订阅消息" views={smsViews} />;
}
