// Columns of 设备接口密钥: keys in force, last use, expiry.

import type { KeyedCabinet } from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.contract.ts";
import { connectivityText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { ConnectivityStatus } from "../../../domain/cabinet/cabinet-status.tsx";
import {
  keyStateColumn,
  kidsColumn,
  lastUsedColumn,
  networksColumn,
} from "../../../domain/key/key-columns.tsx";
import { overlapEnd } from "../../../domain/key/key-text.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatDateTime } from "../../../kit/format.ts";
import type { Column } from "../../../ui/list/columns.ts";
import { timeWidth } from "../../../ui/list/time-column.ts";

const nameColumn: Column<KeyedCabinet> = { key: "name", title: "设备名称", width: 176 };

export const secretColumns: Column<KeyedCabinet>[] = [
  nameColumn,
  tenantColumn(112),
  { key: "sn", title: "编号", width: 132, keepsEnd: true },
  keyStateColumn("state", (row) => row.state),
  kidsColumn(172, (row) => row.secrets),
  lastUsedColumn(),
  {
    key: "overlapEnd",
    title: "旧密钥失效",
    ...timeWidth,
    value: (row) => overlapEnd(row.secrets) && formatDateTime(overlapEnd(row.secrets)),
  },
  networksColumn(128),
  {
    key: "connectivity",
    title: "在线",
    width: 92,
    value: (row) => connectivityText[row.connectivity],
    render: (row) => <ConnectivityStatus of={row.connectivity} />,
  },
  { key: "store", isSecondary: true, title: "门店", width: 150, value: (row) => row.storeName },
];
