// Columns of the cabinet event log; a device time with a large clock skew is marked.

import type { CabinetEvent } from "@cabinet/contract/fleet/cabinet-event/cabinet-event.contract.ts";
import {
  eventGroupOf,
  eventGroupText,
  eventKindText,
  skewOf,
} from "@cabinet/contract/fleet/cabinet-event/cabinet-event.rules.ts";
import { doorSideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { tenantColumn } from "../../../domain/tenant/tenant-column.ts";
import { formatDateTime } from "../../../kit/format.ts";
import { Status } from "../../../ui/display/status.tsx";
import type { Column } from "../../../ui/list/columns.ts";
import { timeColumn } from "../../../ui/list/time-column.ts";
import { skewText } from "./skew-text.rules.ts";
import "./cabinet-event-columns.css";

export function compartmentText({ no, side }: Pick<CabinetEvent, "no" | "side">): string | null {
  if (no === null) return null;
  return side ? `${no} 号（${doorSideText[side]}）` : `${no} 号`;
}

export function DeviceTime({ event }: { event: CabinetEvent }) {
  const { deviceAt, receivedAt, n } = event;
  if (deviceAt === null) {
    return <span className="ui-cell-none">{n === null ? "平台记录" : "—"}</span>;
  }
  const skew = skewOf(deviceAt, receivedAt);
  return (
    <span className="event-device-time" data-skewed={skew !== null}>
      {formatDateTime(deviceAt)}
      {skew !== null && <small>{skewText(skew)}</small>}
    </span>
  );
}

const receivedAt: Column<CabinetEvent> = timeColumn("receivedAt", "接收时间");

const cabinetName: Column<CabinetEvent> = { key: "cabinetName", title: "设备名称", width: 172 };

const rest: Column<CabinetEvent>[] = [
  {
    key: "group",
    title: "类别",
    isSecondary: true,
    width: 96,
    value: (event) => eventGroupText[eventGroupOf(event.kind)],
  },
  {
    key: "text",
    title: "事件",
    width: 280,
    exportWidth: 40,
    render: (event) => (
      <Status tone={event.isProblem ? "bad" : "quiet"} title={event.text}>
        <span className="event-text">{event.text}</span>
      </Status>
    ),
  },
  { key: "no", title: "格口", width: 108, value: compartmentText },
  {
    key: "deviceAt",
    title: "设备时间",
    width: 188,
    exportFormat: "time",
    value: (event) => event.deviceAt && formatDateTime(event.deviceAt),
    render: (event) => <DeviceTime event={event} />,
  },
  { key: "cabinetSn", isSecondary: true, title: "设备编号", width: 144 },
  {
    key: "report",
    isSecondary: true,
    title: "上报序号",
    width: 92,
    align: "right",
    value: (event) => (event.n === null ? null : `${event.bootNo}-${event.n}`),
    exports: [
      { header: "事件代码", value: (event) => event.kind },
      { header: "上报序号", width: 12, value: (event) => event.n && `${event.bootNo}-${event.n}` },
      { header: "原始报文", width: 60, value: (event) => event.payload },
    ],
  },
];

/** For a single cabinet its name and tenant are in the heading. */
export function cabinetEventColumns(isOneCabinet: boolean): Column<CabinetEvent>[] {
  if (isOneCabinet) return [receivedAt, ...rest];
  return [receivedAt, cabinetName, ...rest, tenantColumn(120)];
}

export function kindFact({ kind }: CabinetEvent): string {
  const text = eventKindText(kind);
  return text === kind ? kind : `${text}（${kind}）`;
}
