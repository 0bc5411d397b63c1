// Detail view of one account: identity, roles and stores, sign-in.

import type { OperatorDetail as Detail } from "@cabinet/contract/identity/operator/operator.contract.ts";
import {
  type Operator,
  operatorContract,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import { userTypeText } from "@cabinet/contract/identity/operator/operator.rules.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Link, pathTo } from "../../../kit/paths.ts";
import { usePermissions } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { type DescriptionItem, DrawerSection, Facts } from "../../../ui/display/detail-drawer.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { Age } from "../../../ui/display/status.tsx";
import { OperatorStatus, visibleStoresText } from "./operator-columns.tsx";
import { OperatorPhone } from "./operator-phone.tsx";
import "../../../ui/display/basics.css";
import "./operator-detail.css";

export function OperatorDetail({ account }: { account: Operator }) {
  const answer = useCall(operatorContract.get, { params: { id: account.id } });
  const detail = answer.data?.id === account.id ? answer.data : undefined;
  if (answer.error && !detail) {
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  }
  return (
    <>
      <DrawerSection title="基本信息">
        <Facts facts={basicFacts(account)} />
      </DrawerSection>
      <DrawerSection title="权限与门店">
        <Facts facts={scopeFacts(account, detail)} />
      </DrawerSection>
      <DrawerSection title="登录">
        <Facts facts={signInFacts(account, detail)} />
        <LogLinks username={account.username} />
      </DrawerSection>
    </>
  );
}

/** Links to the account's actions, to changes of the account and to its sign-ins. */
function LogLinks({ username }: { username: string }) {
  const may = usePermissions();
  const links = [
    may("audit:read") && (["其操作记录", pathTo("/set/audit", { actor: username })] as const),
    may("audit:read") && (["账号变更记录", pathTo("/set/audit", { target: username })] as const),
    may("login-log:read") && (["登录日志", pathTo("/set/loginLog", { username })] as const),
  ].filter((link) => link !== false);
  if (links.length === 0) return null;
  return (
    <p className="operator-links">
      {links.map(([text, to]) => (
        <Link key={text} className="ui-link" to={to}>
          {text}
        </Link>
      ))}
    </p>
  );
}

function basicFacts(account: Operator): DescriptionItem[] {
  return [
    ["姓名", account.displayName],
    ["账号", account.username],
    ["租户", account.tenantName],
    ["手机号", <OperatorPhone key={`${account.id} ${account.phone}`} of={account} />],
    ["备注", account.remark || null],
    ["创建时间", formatDateTime(account.createdAt)],
  ];
}

const listed = (names: readonly string[], none: string) =>
  names.length > 0 ? names.join("、") : none;

function scopeFacts(account: Operator, detail: Detail | undefined): DescriptionItem[] {
  const roles = account.roles.map(({ name }) => name);
  const stores = account.stores.map(({ name }) => name);
  return [
    ["类型", userTypeText[account.userType]],
    [
      "角色",
      account.userType === 0 ? "全部权限，不需要角色" : listed(roles, "未分配，只能看到个人设置"),
    ],
    ["可见门店", visibleStoresText(account)],
    ["负责的门店", listed(stores, "无")],
    ["作为负责人的门店", detail && listed(detail.managedStores, "无")],
  ];
}

function passwordText({ mustChangePassword, isFirstPasswordExpired }: Operator): string {
  if (!mustChangePassword) return "已由本人设置";
  return isFirstPasswordExpired ? "初始密码已过期，须重置密码后才能登录" : "初始密码，登录后须修改";
}

function factorText({ hasSecondFactor, factorExemptUntil }: Operator): string {
  if (hasSecondFactor) return "已开启";
  return factorExemptUntil ? `未开启，例外至 ${formatDateTime(factorExemptUntil)}` : "未开启";
}

function signInFacts(account: Operator, detail: Detail | undefined): DescriptionItem[] {
  const { disabledAt, disabledBy, disableReason, lockedUntil, lastSignInAt } = account;
  const disabled: DescriptionItem[] = disabledAt
    ? [
        ["停用时间", `${formatDateTime(disabledAt)}${disabledBy ? `，${disabledBy}` : ""}`],
        ["停用原因", disableReason],
      ]
    : [];
  const locked: DescriptionItem[] = lockedUntil ? [["受限到", formatDateTime(lockedUntil)]] : [];
  return [
    ["状态", <OperatorStatus key="state" of={account} />],
    ...disabled,
    ...locked,
    ["连续登录失败", detail && `${detail.failures} 次`],
    ["密码", passwordText(account)],
    ["两步验证", factorText(account)],
    ["最近登录", lastSignInAt ? <Age key="last" time={lastSignInAt} /> : "从未登录"],
    ["在线会话", detail && `${detail.sessions} 个`],
  ];
}
