// The columns of 设备接口密钥: which keys are in force, when they were last used, when one ends.

import { connectivityText } from "@cabinet/contract/cabinet/cabinet.rules.ts";
import type { KeyedCabinet } from "@cabinet/contract/cabinet-secret/cabinet-secret.contract.ts";
import { keyStateText } from "@cabinet/contract/cabinet-secret/cabinet-secret.rules.ts";
import { formatDateTime } from "../../kit/format.ts";
import { ConnectivityStatus } from "../../ui/cabinet-status.tsx";
import type { Column } from "../../ui/columns.ts";
import { CellText } from "../../ui/data-table.tsx";
import { Age, Status } from "../../ui/status.tsx";
import { tenantColumn } from "../../ui/tenant-column.ts";
import { activeSecrets, keyTone, overlapEnd } from "./secret-text.ts";
import "./cabinet-secret.css";

const kidsText = (cabinet: KeyedCabinet) =>
  activeSecrets(cabinet)
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
    render: (row) => <Kids cabinet={row} />,
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
    value: (row) => overlapEnd(row) && formatDateTime(overlapEnd(row)),
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

function Kids({ cabinet }: { cabinet: KeyedCabinet }) {
  const secrets = activeSecrets(cabinet);
  if (secrets.length === 0) return <CellText>{null}</CellText>;
  return (
    <span className="secret-kids">
      {secrets.map(({ kid, isConnected }) => (
        <code
          key={kid}
          data-connected={isConnected}
          title={isConnected ? "设备当前用它连接" : undefined}
        >
          {kid}
        </code>
      ))}
    </span>
  );
}
