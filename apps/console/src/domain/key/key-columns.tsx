// List columns for keys and allowed networks, shared by cabinets and open-API applications.
import {
  type KeyState,
  keyStateText,
} from "@cabinet/contract/equipment/cabinet-secret/cabinet-secret.rules.ts";
import { formatDateTime } from "../../kit/format.ts";
import { Age, Status } from "../../ui/display/status.tsx";
import type { Column } from "../../ui/list/columns.ts";
import { timeWidth } from "../../ui/list/time-column.ts";
import { ActiveKeys } from "./key-list.tsx";
import { activeKeys, type KeyFacts, keyTone } from "./key-text.ts";

export function keyStateColumn<Row>(key: string, stateOf: (row: Row) => KeyState): Column<Row> {
  return {
    key,
    title: "密钥状态",
    width: 100,
    value: (row) => keyStateText[stateOf(row)],
    render: (row) => <Status tone={keyTone[stateOf(row)]}>{keyStateText[stateOf(row)]}</Status>,
  };
}

export function kidsColumn<Row>(
  width: number,
  keysOf: (row: Row) => readonly KeyFacts[],
): Column<Row> {
  return {
    key: "kids",
    title: "有效密钥",
    width,
    exportWidth: 32,
    value: (row) =>
      activeKeys(keysOf(row))
        .map(({ kid }) => kid)
        .join("、"),
    render: (row) => <ActiveKeys keys={keysOf(row)} />,
  };
}

export function lastUsedColumn<Row extends { lastUsedAt: string | null }>(): Column<Row> {
  return {
    key: "lastUsedAt",
    title: "最近使用",
    ...timeWidth,
    value: (row) => row.lastUsedAt && formatDateTime(row.lastUsedAt),
    render: (row) => <Age time={row.lastUsedAt} />,
  };
}

export function networksColumn<Row extends { networks: readonly string[] }>(
  width: number,
): Column<Row> {
  return {
    key: "networks",
    title: "IP 白名单",
    width,
    exportWidth: 40,
    value: (row) => row.networks.join("、") || "不限",
    render: (row) => (
      <span title={row.networks.join("、")}>
        {row.networks.length === 0 ? "不限" : `${row.networks.length} 条`}
      </span>
    ),
  };
}
