// The columns of 接口应用: scopes, keys and usage.
import { openScopeText } from "@cabinet/contract/partners/open-api/open-api.rules.ts";
import type { OpenApp } from "@cabinet/contract/partners/open-api/open-app.contract.ts";
import {
  type OpenAppState,
  openAppStateText,
} from "@cabinet/contract/vocabulary/open-app.rules.ts";
import {
  keyStateColumn,
  kidsColumn,
  lastUsedColumn,
  networksColumn,
} from "../../../domain/key/key-columns.tsx";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatNumber } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Tone } from "../../../ui/display/tone.rules.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { CellText } from "../../../ui/list/data-table.tsx";

export const appTone: Record<OpenAppState, Tone> = { ENABLED: "good", DISABLED: "quiet" };

const scopesText = ({ scopes }: Pick<OpenApp, "scopes">) =>
  scopes.map((scope) => openScopeText[scope]).join("；");

const nameColumn: Column<OpenApp> = { key: "name", title: "应用名称", width: 150 };

export const openAppColumns: Column<OpenApp>[] = [
  nameColumn,
  tenantColumn(112),
  { key: "code", title: "应用编号", width: 204, exportWidth: 26, onCard: "line" },
  {
    key: "state",
    title: "状态",
    width: 92,
    onCard: "mark",
    value: (row) => openAppStateText[row.state],
    render: (row) => <Status tone={appTone[row.state]}>{openAppStateText[row.state]}</Status>,
  },
  { ...keyStateColumn("keyState", (row: OpenApp) => row.keyState), onCard: "mark" },
  kidsColumn(150, (row) => row.keys),
  {
    key: "scopes",
    title: "接口权限",
    width: 168,
    exportWidth: 44,
    onCard: "line",
    value: scopesText,
    render: (row) => <CellText>{scopesText(row)}</CellText>,
  },
  { ...networksColumn(96), isSecondary: true },
  {
    key: "callsToday",
    title: "今日调用",
    width: 92,
    align: "right",
    render: (row) => formatNumber(row.callsToday),
  },
  {
    key: "refusedToday",
    title: "未通过验证",
    width: 104,
    align: "right",
    render: (row) => formatNumber(row.refusedToday),
  },
  lastUsedColumn(),
];
