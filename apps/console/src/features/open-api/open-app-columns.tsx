// The columns of 接口应用: what each may do, its keys, how much it is used.
import { keyStateText } from "@cabinet/contract/cabinet-secret/cabinet-secret.rules.ts";
import {
  type OpenAppState,
  openAppStateText,
  openScopeText,
} from "@cabinet/contract/open-api/open-api.rules.ts";
import type { OpenApp } from "@cabinet/contract/open-api/open-app.contract.ts";
import { formatDateTime, formatNumber } from "../../kit/format.ts";
import type { Column } from "../../ui/columns.ts";
import { CellText } from "../../ui/data-table.tsx";
import { ActiveKeys } from "../../ui/key-list.tsx";
import { activeKeys, keyTone } from "../../ui/key-text.ts";
import { Age, Status } from "../../ui/status.tsx";
import { tenantColumn } from "../../ui/tenant-column.ts";
import type { Tone } from "../../ui/tone.rules.ts";

export const appTone: Record<OpenAppState, Tone> = { ENABLED: "good", DISABLED: "quiet" };

const scopesText = ({ scopes }: Pick<OpenApp, "scopes">) =>
  scopes.map((scope) => openScopeText[scope]).join("；");

const nameColumn: Column<OpenApp> = {
  key: "name",
  title: "应用名称",
  width: 150,
  value: (row) => row.name,
};

const restColumns: Column<OpenApp>[] = [
  {
    key: "code",
    title: "应用编号",
    width: 176,
    exportWidth: 26,
    value: (row) => row.code,
    render: (row) => <CellText>{row.code}</CellText>,
  },
  {
    key: "state",
    title: "状态",
    width: 92,
    value: (row) => openAppStateText[row.state],
    render: (row) => <Status tone={appTone[row.state]}>{openAppStateText[row.state]}</Status>,
  },
  {
    key: "keyState",
    title: "密钥状态",
    width: 100,
    value: (row) => keyStateText[row.keyState],
    render: (row) => <Status tone={keyTone[row.keyState]}>{keyStateText[row.keyState]}</Status>,
  },
  {
    key: "kids",
    title: "有效密钥",
    width: 150,
    exportWidth: 32,
    value: (row) =>
      activeKeys(row.keys)
        .map(({ kid }) => kid)
        .join("、"),
    render: (row) => <ActiveKeys keys={row.keys} />,
  },
  {
    key: "scopes",
    title: "接口权限",
    width: 168,
    exportWidth: 44,
    value: scopesText,
    render: (row) => <CellText>{scopesText(row)}</CellText>,
  },
  {
    key: "networks",
    isSecondary: true,
    title: "IP 白名单",
    width: 96,
    exportWidth: 40,
    value: (row) => row.networks.join("、") || "不限",
    render: (row) => (
      <span title={row.networks.join("、")}>
        {row.networks.length === 0 ? "不限" : `${row.networks.length} 条`}
      </span>
    ),
  },
  {
    key: "callsToday",
    title: "今日调用",
    width: 92,
    align: "right",
    value: (row) => row.callsToday,
    render: (row) => formatNumber(row.callsToday),
  },
  {
    key: "refusedToday",
    title: "未通过验证",
    width: 104,
    align: "right",
    value: (row) => row.refusedToday,
    render: (row) => formatNumber(row.refusedToday),
  },
  {
    key: "lastUsedAt",
    title: "最近使用",
    width: 100,
    value: (row) => row.lastUsedAt && formatDateTime(row.lastUsedAt),
    render: (row) => <Age time={row.lastUsedAt} />,
  },
];

/** Platform staff see whose each application is. */
export function openAppColumns(isPlatform: boolean): Column<OpenApp>[] {
  return isPlatform
    ? [nameColumn, tenantColumn(112), ...restColumns]
    : [nameColumn, ...restColumns];
}
