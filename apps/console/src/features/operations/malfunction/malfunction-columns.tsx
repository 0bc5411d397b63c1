// The columns of the list of malfunctions.
import type { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import {
  malfunctionSourceText,
  malfunctionStateText,
  severityText,
} from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Age } from "../../../ui/display/status.tsx";
import { CellLines, CellText } from "../../../ui/list/data-table.tsx";
import { timeColumn, timeWidth } from "../../../ui/list/time-column.ts";
import type { ColumnOf } from "../../../ui/list/use-list.ts";
import {
  Due,
  dueText,
  durationText,
  Lasted,
  MalfunctionName,
  nameOf,
  placeParts,
  placeText,
  SeverityMark,
  StateStatus,
} from "./malfunction-status.tsx";
import "../../../ui/display/basics.css";

type MalfunctionColumn = ColumnOf<typeof malfunctionContract.list>;

const time = (at: string | null) => (at === null ? "" : formatDateTime(at));

export const malfunctionColumns: MalfunctionColumn[] = [
  {
    key: "kind",
    title: "故障",
    width: 146,
    value: nameOf,
    render: (row) => <MalfunctionName of={row} />,
  },
  { ...tenantColumn(92), onCard: "line" },
  {
    key: "severity",
    title: "级别",
    width: 70,
    onCard: "mark",
    sort: "severity",
    value: ({ severity }) => severityText[severity],
    render: ({ severity }) => <SeverityMark of={severity} />,
  },
  {
    key: "state",
    title: "状态",
    width: 84,
    onCard: "mark",
    value: ({ state }) => malfunctionStateText[state],
    render: ({ state }) => <StateStatus of={state} />,
  },
  {
    key: "place",
    title: "位置",
    width: 166,
    onCard: "line",
    value: placeText,
    render: (row) => {
      const [first, second] = placeParts(row);
      return <CellLines first={first} second={second} />;
    },
    exports: [
      { header: "位置", width: 30, value: placeText },
      { header: "设备编号", width: 20, value: ({ cabinetSn }) => cabinetSn },
      { header: "格口号", width: 10, value: ({ compartmentNo }) => compartmentNo },
    ],
  },
  { key: "description", title: "现象", width: 130, onCard: "line", exportWidth: 48 },
  {
    key: "lasted",
    title: "持续",
    width: 120,
    onCard: "mark",
    sort: "lasted",
    value: (row) => durationText(row, Date.now()),
    render: (row) => <Lasted of={row} />,
  },
  {
    key: "due",
    title: "时限",
    width: 120,
    onCard: "mark",
    sort: "due",
    value: (row) => dueText(row, Date.now()),
    render: (row) => <Due of={row} />,
    exports: [
      { header: "受理时限", width: 20, value: ({ respondBy }) => time(respondBy) },
      { header: "处理时限", width: 20, value: ({ resolveBy }) => time(resolveBy) },
      { header: "是否超时", width: 10, value: ({ isOverdue }) => (isOverdue ? "是" : "否") },
    ],
  },
  {
    key: "assignee",
    title: "处理人",
    width: 76,
    onCard: "mark",
    value: ({ assigneeName }) => assigneeName,
    render: ({ assigneeName }) => <CellText>{assigneeName || null}</CellText>,
  },
  {
    key: "lastAt",
    title: "最近上报",
    ...timeWidth,
    isSecondary: true,
    sort: "lastAt",
    value: ({ lastAt }) => formatDateTime(lastAt),
    render: ({ lastAt }) => <Age time={lastAt} />,
  },
  { key: "repeatCount", title: "次数", width: 54, isSecondary: true, align: "right" },
  {
    key: "store",
    title: "门店",
    width: 120,
    isSecondary: true,
    value: ({ storeName }) => storeName,
  },
  timeColumn("createdAt", "发生时间", { sort: "createdAt", isSecondary: true }),
  {
    key: "source",
    title: "来源",
    width: 132,
    isSecondary: true,
    value: ({ source, reporterName }) =>
      reporterName
        ? `${malfunctionSourceText[source]}：${reporterName}`
        : malfunctionSourceText[source],
  },
  {
    key: "resolvedAt",
    title: "处理完成",
    ...timeWidth,
    isSecondary: true,
    value: ({ resolvedAt }) => time(resolvedAt),
    exports: [
      { header: "处理完成", width: 20, value: ({ resolvedAt }) => time(resolvedAt) },
      { header: "故障原因", width: 36, value: ({ cause }) => cause },
      { header: "处理措施", width: 36, value: ({ measure }) => measure },
    ],
  },
];
