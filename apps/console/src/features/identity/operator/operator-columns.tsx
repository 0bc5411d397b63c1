// Columns of both account lists, and the account state as text.
import type {
  Operator,
  operatorContract,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import {
  operatorStateText,
  userTypeText,
} from "@cabinet/contract/identity/operator/operator.rules.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Age, Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import { CellText } from "../../../ui/list/data-table.tsx";
import { timeColumn, timeWidth } from "../../../ui/list/time-column.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import "../../../ui/display/basics.css";

type OperatorColumn = ColumnOf<typeof operatorContract.list>;

/** State text; an account with a first password must still sign in and change it. */
function stateText(row: Operator): string {
  if (row.state !== "NORMAL" || !row.mustChangePassword) return operatorStateText[row.state];
  if (row.isFirstPasswordExpired) return "初始密码已过期";
  return row.lastSignInAt ? "待改密码" : "待首次登录";
}

const tones: Record<Operator["state"], Tone> = {
  NORMAL: "good",
  LOCKED: "bad",
  DISABLED: "quiet",
};

export function OperatorStatus({ of: row }: { of: Operator }) {
  const { state, mustChangePassword, isFirstPasswordExpired } = row;
  const waiting = isFirstPasswordExpired ? "bad" : "waiting";
  const why =
    row.state === "DISABLED"
      ? row.disableReason
      : row.lockedUntil &&
        `登录失败次数过多，失败的网络或浏览器 ${formatDateTime(row.lockedUntil)} 后可再试`;
  return (
    <Status
      tone={state === "NORMAL" && mustChangePassword ? waiting : tones[state]}
      {...(why && { title: why })}
    >
      {stateText(row)}
    </Status>
  );
}

const namesOf = (things: readonly { name: string }[]) => things.map(({ name }) => name).join("、");

function Missing({ children }: { children: string }) {
  return <span className="ui-cell-none">{children}</span>;
}

const nameColumn: OperatorColumn = {
  key: "name",
  title: "姓名",
  width: 92,
  value: (row) => row.displayName,
};

const usernameColumn: OperatorColumn = {
  key: "username",
  title: "账号",
  width: 168,
  sort: "username",
};

const typeColumn: OperatorColumn = {
  key: "userType",
  title: "类型",
  width: 88,
  isOfPlatform: true,
  value: (row) => userTypeText[row.userType],
};

const phoneColumn: OperatorColumn = { key: "phone", title: "手机号", width: 124 };

const roleColumn: OperatorColumn = {
  key: "roles",
  title: "角色",
  width: 132,
  exportWidth: 30,
  value: (row) => (row.userType === 0 ? "全部权限" : namesOf(row.roles)),
  render: (row) => {
    if (row.userType === 0) return "全部权限";
    return row.roles.length > 0 ? (
      <CellText>{namesOf(row.roles)}</CellText>
    ) : (
      <Missing>未分配</Missing>
    );
  },
};

const storeColumn: OperatorColumn = {
  key: "stores",
  title: "可见门店",
  width: 160,
  exportWidth: 40,
  value: visibleStoresText,
  render: (row) => <StoresText of={row} />,
};

const restColumns: OperatorColumn[] = [
  {
    key: "state",
    title: "状态",
    width: 136,
    value: stateText,
    render: (row) => <OperatorStatus of={row} />,
    exports: [
      { header: "状态", value: stateText },
      { header: "停用原因", width: 30, value: (row) => row.disableReason },
    ],
  },
  {
    key: "lastSignInAt",
    title: "最近登录",
    ...timeWidth,
    sort: "lastSignInAt",
    value: (row) => (row.lastSignInAt ? formatDateTime(row.lastSignInAt) : "从未登录"),
    render: (row) =>
      row.lastSignInAt ? <Age time={row.lastSignInAt} /> : <Missing>从未登录</Missing>,
  },
  { key: "remark", title: "备注", width: 140, exportWidth: 36, isSecondary: true },
  timeColumn("createdAt", "创建时间", { sort: "createdAt", isSecondary: true }),
];

/** Effective store scope; omits assigned stores when the account sees all stores. */
export function visibleStoresText({ isStoreBound, visibleStores }: Operator): string {
  if (!isStoreBound) return "全部门店";
  if (visibleStores.length === 0) return "未分配";
  return `${visibleStores.length} 家：${namesOf(visibleStores)}`;
}

function StoresText({ of: row }: { of: Operator }) {
  const isNone = row.isStoreBound && row.visibleStores.length === 0;
  const text = visibleStoresText(row);
  return isNone ? <Missing>{text}</Missing> : <CellText>{text}</CellText>;
}

/** 运营人员: platform staff see the type too, for its administrators. */
export const operatorColumns: OperatorColumn[] = [
  nameColumn,
  tenantColumn(),
  typeColumn,
  usernameColumn,
  phoneColumn,
  roleColumn,
  storeColumn,
  ...restColumns,
];

/** 运维人员: stores before roles. */
export const maintenanceColumns: OperatorColumn[] = [
  nameColumn,
  usernameColumn,
  phoneColumn,
  storeColumn,
  roleColumn,
  ...restColumns,
];
