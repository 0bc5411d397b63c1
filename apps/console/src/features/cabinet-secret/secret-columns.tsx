// The columns of 设备接口密钥: which keys are in force, when they were last used, when one ends.

import { connectivityText } from "@cabinet/contract/cabinet/cabinet.rules.ts";
import type { KeyedCabinet } from "@cabinet/contract/cabinet-secret/cabinet-secret.contract.ts";
import { keyStateText } from "@cabinet/contract/cabinet-secret/cabinet-secret.rules.ts";
import { formatDateTime } from "../../kit/format.ts";
import { ConnectivityStatus } from "../../ui/cabinet-status.tsx";
import type { Column } from "../../ui/columns.ts";
import { ActiveKeys } from "../../ui/key-list.tsx";
import { activeKeys, keyTone, overlapEnd } from "../../ui/key-text.ts";
import { Age, Status } from "../../ui/status.tsx";
import { tenantColumn } from "../../ui/tenant-column.ts";

const kidsText = (cabinet: KeyedCabinet) =>
  activeKeys(cabinet.secrets)
    .map(({ kid }) => kid)
    .join("、");

const nameColumn: Column<KeyedCabinet> = {
  key: "name",
  title: "设备名称",
  width: 160,
  value: (row) => row.name,
};

const restColumns: Column<KeyedCabinet>[] = [
  { key: "sn", title: "编号", width: 128, value: (row) => row.sn },
  {
    key: "state",
    title: "密钥状态",
    width: 100,
    value: (row) => keyStateText[row.state],
    render: (row) => <Status tone={keyTone[row.state]}>{keyStateText[row.state]}</Status>,
  },
  {
    key: "kids",
    title: "有效密钥",
    width: 172,
    exportWidth: 32,
    value: kidsText,
    render: (row) => <ActiveKeys keys={row.secrets} />,
  },
  {
    key: "lastUsedAt",
    title: "最近使用",
    width: 100,
    value: (row) => row.lastUsedAt && formatDateTime(row.lastUsedAt),
    render: (row) => <Age time={row.lastUsedAt} />,
  },
  {
    key: "overlapEnd",
    title: "旧密钥失效",
    width: 164,
    value: (row) => overlapEnd(row.secrets) && formatDateTime(overlapEnd(row.secrets)),
  },
  {
    key: "networks",
    title: "IP 白名单",
    width: 128,
    exportWidth: 40,
    value: (row) => row.networks.join("、") || "不限",
    render: (row) => (
      <span title={row.networks.join("、")}>
        {row.networks.length === 0 ? "不限" : `${row.networks.length} 条`}
      </span>
    ),
  },
  {
    key: "connectivity",
    title: "在线",
    width: 92,
    value: (row) => connectivityText[row.connectivity],
    render: (row) => <ConnectivityStatus of={row.connectivity} />,
  },
  { key: "store", isSecondary: true, title: "门店", width: 150, value: (row) => row.storeName },
];

/** Platform staff see whose each cabinet is. */
export function secretColumns(isPlatform: boolean): Column<KeyedCabinet>[] {
  return isPlatform
    ? [nameColumn, tenantColumn(112), ...restColumns]
    : [nameColumn, ...restColumns];
}
